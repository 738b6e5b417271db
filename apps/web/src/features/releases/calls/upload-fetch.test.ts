import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRequest } from '../testing/fake-request.ts';
import { type UploadProgress, uploadFetch } from './upload-fetch.ts';

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeRequest));
afterEach(() => vi.unstubAllGlobals());

function upload(signal?: AbortSignal) {
  const progress: UploadProgress[] = [];
  const answer = uploadFetch((step) => progress.push(step))('/api/x', {
    method: 'POST',
    headers: { authorization: 'Bearer t' },
    body: 'text',
    ...(signal === undefined ? {} : { signal }),
  });
  return { progress, answer, request: FakeRequest.last() };
}

describe('fetch for uploads', () => {
  it('sends what it is given, reports how far it is, and answers as fetch does', async () => {
    const { progress, answer, request } = upload();
    expect(request).toMatchObject({
      method: 'POST',
      url: '/api/x',
      body: 'text',
      headers: { authorization: 'Bearer t' },
    });
    request.progress(2, 4);
    request.answer(201, '{"version":1}');
    const response = await answer;
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ version: 1 });
    expect(progress).toEqual([
      { sent: 2, total: 4 },
      { sent: 4, total: 4 },
    ]);
  });

  it('rejects like fetch if the server does not answer', async () => {
    const { answer, request } = upload();
    request.fail();
    await expect(answer).rejects.toBeInstanceOf(TypeError);
  });

  it('stops the request when it is aborted, with the reason', async () => {
    const controller = new AbortController();
    const { answer, request } = upload(controller.signal);
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(request.aborted).toBe(true);
  });

  it('sends nothing when it is aborted already', async () => {
    const before = FakeRequest.all.length;
    await expect(uploadFetch(() => undefined)('/', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(FakeRequest.all).toHaveLength(before);
  });

  it('answers a 204 without a body', async () => {
    const { answer, request } = upload();
    request.answer(204, '');
    expect((await answer).body).toBeNull();
  });
});
