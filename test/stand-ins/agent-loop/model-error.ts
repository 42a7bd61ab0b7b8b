/** The model's service refused the request or did not answer. */
export class ModelError extends Error {
  /** 0 when no answer came, or it broke off. */
  readonly status: number;
  /** The service's own name of the error. */
  readonly kind: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, status: number, kind = "", retryAfterSeconds?: number) {
    super(message);
    this.name = "ModelError";
    this.status = status;
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get mayPass(): boolean {
    return (this.status === 0 || this.status === 429 || this.status >= 500) && this.kind !== "insufficient_quota";
  }
}
