/**
 * `fetch` for uploads with progress, based on XMLHttpRequest, because `fetch` reports none. Supports only what the
 * API client uses: text answers, headers and the signal.
 */

export interface UploadProgress {
  /** In bytes, including the head and the boundaries of the form. */
  readonly sent: number;
  readonly total: number;
}

/**
 * Returns a `fetch` that calls `onProgress` while the body is sent. Rejects like `fetch`: with a TypeError, or the
 * signal's reason.
 */
export function uploadFetch(onProgress: (progress: UploadProgress) => void): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', String(input));
      for (const [name, value] of new Headers(init.headers)) {
        request.setRequestHeader(name, value);
      }
      const abort = () => {
        request.abort();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
      // The last progress event may report less than the total. After `load` everything has been sent.
      request.upload.onload = ({ loaded }) => onProgress({ sent: loaded, total: loaded });
      request.onload = () => resolve(responseOf(request));
      request.onerror = () => reject(new TypeError('The server did not answer the upload.'));
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      request.send(init.body as XMLHttpRequestBodyInit);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText } = request;
  const type = request.getResponseHeader('content-type');
  const bodyless = status === 204 || status === 205 || status === 304;
  return new Response(bodyless ? null : request.responseText, {
    status,
    statusText,
    headers: type === null ? {} : { 'content-type': type },
  });
}
