export declare const agentPath: string;
export declare function bareClient(): Promise<{
  readonly updates: number;
  turn(text: string): Promise<unknown>;
  close(): void;
}>;
