/** Methods that an agent has beside the protocol: its folder says what they mean. As a request each is answered, also when nobody can. */
import { rpcErrors } from "../json-rpc/index.ts";
import type { JsonRpc, Out, RpcRequest } from "../json-rpc/index.ts";
import type { Asking } from "./asking.ts";
import type { AcpMeaning, AcpQuirks } from "./quirks.ts";
import { named, record } from "./read.ts";
import type { Wire } from "./read.ts";
import type { Translator } from "./translate.ts";

export interface OwnMethodsOptions {
  readonly rpc: JsonRpc;
  readonly translator: Translator;
  readonly asking: Asking;
  readonly quirks: AcpQuirks;
}

export class OwnMethods {
  readonly #o: OwnMethodsOptions;

  constructor(options: OwnMethodsOptions) {
    this.#o = options;
  }

  /** False where it has no such method. */
  asked(request: RpcRequest, out: Out): boolean {
    const { rpc, translator, asking } = this.#o;
    const { id, method, params } = request;
    if (!this.#has(method)) return false;
    const means = this.#meaning(method, params, out);
    if (means === undefined) {
      rpc.refuse(id, { code: rpcErrors.invalidParams, message: `Reins does not understand this ${named(method)}` });
    } else if (means.says === "updates") {
      this.#tell(method, means.updates, out);
      rpc.respond(id, means.answer);
    } else if (!translator.running) {
      rpc.respond(id, means.cancelled);
      if (!translator.replaying) translator.strays.late(named(method), out);
    } else if (means.says === "question") {
      asking.question(request, means, out);
    } else {
      this.#tell(method, means.updates, out);
      asking.permissionFor(request, means.call, means.options, means, out);
    }
    return true;
  }

  /** The same as a notification: what it asks, nobody can answer. */
  told(method: string, params: unknown, out: Out): boolean {
    const { translator } = this.#o;
    if (!this.#has(method)) return false;
    const means = this.#meaning(method, params, out);
    if (means === undefined) return true;
    if (means.says !== "question") this.#tell(method, means.updates, out);
    if (means.says !== "updates" && translator.running) translator.strays.unanswerable(named(method), out);
    return true;
  }

  #has(method: string): boolean {
    return Object.hasOwn(this.#o.quirks.methods ?? {}, method);
  }

  #meaning(method: string, params: unknown, out: Out): AcpMeaning | undefined {
    const { translator, quirks } = this.#o;
    const means = quirks.methods?.[method]?.(record(params), (callId) => translator.calls.knows(callId));
    if (means === undefined) translator.strays.unknown(named(method), out);
    return means;
  }

  #tell(method: string, updates: readonly Wire[], out: Out): void {
    const { translator } = this.#o;
    if (translator.running) for (const update of updates) translator.update(update, out);
    else if (!translator.replaying) translator.strays.late(named(method), out);
  }
}
