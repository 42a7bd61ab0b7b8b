/** What a caller says about warm agents, as limits. */
import { ReinsError } from "../events/errors.ts";
import type { WarmOptions } from "./api.ts";
import { defaultLiveLimits } from "./live-agents.ts";
import type { LiveLimits } from "./live-agents.ts";
import { defaultPoolLimits } from "./warm-pool.ts";
import type { PoolLimits } from "./warm-pool.ts";

const mb = 1024 * 1024;

export function liveLimitsOf({ agents, memoryMb, freeMb }: WarmOptions = {}): LiveLimits {
  return {
    agents: atLeast(1, "agents", agents) ?? defaultLiveLimits.agents,
    memory: bytes(atLeast(1, "memoryMb", memoryMb)) ?? defaultLiveLimits.memory,
    free: bytes(atLeast(0, "freeMb", freeMb)) ?? defaultLiveLimits.free,
  };
}

export function poolLimitsOf({ pool, poolMs }: WarmOptions = {}): PoolLimits {
  return {
    size: atLeast(0, "pool", pool) ?? defaultPoolLimits.size,
    idleMs: atLeast(0, "poolMs", poolMs) ?? defaultPoolLimits.idleMs,
  };
}

function atLeast(least: number, name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= least) return value;
  throw new ReinsError("invalid_input", `warm.${name} must be a number, ${least} or more.`);
}

function bytes(megabytes: number | undefined): number | undefined {
  return megabytes === undefined ? undefined : megabytes * mb;
}
