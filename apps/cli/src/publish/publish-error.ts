/** An error that the user of the build server can fix; its message says how. */
export class PublishError extends Error {
  /** Status of the server's answer; null for an error of another kind. */
  readonly status: number | null;

  constructor(message: string, { status = null, ...options }: ErrorOptions & { readonly status?: number | null } = {}) {
    super(message, options);
    this.name = 'PublishError';
    this.status = status;
  }
}
