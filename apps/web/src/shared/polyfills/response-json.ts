/** `Response.json`, Chromium 105. */
export function provideResponseJson(): void {
  if (!('json' in Response)) {
    Object.defineProperty(Response, 'json', {
      configurable: true,
      writable: true,
      value: (data: unknown, init: ResponseInit = {}) => {
        const headers = new Headers(init.headers);
        if (!headers.has('content-type')) {
          headers.set('content-type', 'application/json');
        }
        return new Response(JSON.stringify(data), { ...init, headers });
      },
    });
  }
}
