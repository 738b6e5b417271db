/** Simulated XMLHttpRequest for uploads, controlled by the test. */
type Listener = (event: { readonly loaded: number; readonly total: number }) => void;

export class FakeRequest {
  static readonly all: FakeRequest[] = [];

  static last(): FakeRequest {
    const request = FakeRequest.all.at(-1);
    if (request === undefined) {
      throw new Error('No request was made.');
    }
    return request;
  }

  method = '';
  url = '';
  body: unknown = null;
  status = 0;
  statusText = '';
  responseText = '';
  aborted = false;
  readonly headers: Record<string, string> = {};
  readonly upload: { onprogress?: Listener; onload?: Listener } = {};
  onload?: () => void;
  onerror?: () => void;
  onloadend?: () => void;

  constructor() {
    FakeRequest.all.push(this);
  }

  open(method: string, url: string): void {
    this.method = method;
    this.url = url;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  getResponseHeader(): string {
    return 'application/json';
  }

  send(body: unknown): void {
    this.body = body;
  }

  abort(): void {
    this.aborted = true;
    this.onloadend?.();
  }

  progress(loaded: number, total: number): void {
    this.upload.onprogress?.({ loaded, total });
  }

  /** Completes the upload, and then delivers this answer. */
  answer(status: number, text: string, size = 4): void {
    this.upload.onload?.({ loaded: size, total: size });
    this.status = status;
    this.responseText = text;
    this.onload?.();
    this.onloadend?.();
  }

  fail(): void {
    this.onerror?.();
    this.onloadend?.();
  }
}
