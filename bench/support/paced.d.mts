export function paced(all: number, perSecond: number, everyMs?: number): AsyncGenerator<number>;
