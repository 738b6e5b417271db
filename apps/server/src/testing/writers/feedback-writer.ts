import { apiPaths, type FeedbackList } from '@wirebench/contract';
import { bodyOf, json, read, type Writer } from './writer.ts';

/** Sends feedback as an administrator, who can also read it. */
export function feedbackWriter(): Writer {
  const acknowledged = new Set<string>();
  let number = 0;
  return {
    async write(call) {
      const message = `Acknowledged message number ${number++}`;
      const stored = await bodyOf(await call(apiPaths.feedback, json({ email: 'x', message })));
      if (stored !== null) {
        acknowledged.add(message);
      }
      return stored !== null;
    },
    async findMissing(call) {
      const present = new Set<string>();
      for (let page = 1, pages = 1; page <= pages; page++) {
        const list = (await read(call, `${apiPaths.feedback}?limit=100&page=${page}`)) as FeedbackList;
        pages = list.pagination.pages;
        for (const { message } of list.data) {
          present.add(message);
        }
      }
      return [...acknowledged].filter((message) => !present.has(message));
    },
  };
}
