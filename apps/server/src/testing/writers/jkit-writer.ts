import { type Jkit, type JkitList, jkitPaths } from '@wirebench/contract';
import { bodyOf, json, read, type Writer } from './writer.ts';

/** Saves jkits and changes them. After an unanswered change, both states are correct. */
export function jkitWriter(): Writer {
  const contents = new Map<string, readonly string[]>();
  /** Ids of jkits that are being changed. Of two simultaneous changes, the later one would be unknown. */
  const busy = new Set<string>();
  let number = 0;
  const contentOf = (turn: number) => JSON.stringify({ fields: [`field of turn ${turn}`] });
  return {
    async write(call) {
      const turn = number++;
      const content = contentOf(turn);
      const known = turn % 2 === 1 ? [...contents.keys()].findLast((id) => !busy.has(id)) : undefined;
      if (known === undefined) {
        const body = { name: `Jkit ${turn}`, type: 'uart', content, shared: turn % 3 === 0 };
        const saved = (await bodyOf(await call(jkitPaths.jkits, json(body)))) as { data: Jkit } | null;
        if (saved !== null) {
          contents.set(saved.data._id, [content]);
        }
        return saved !== null;
      }
      busy.add(known);
      contents.set(known, [...(contents.get(known) ?? []), content]);
      const changed = await bodyOf(await call(jkitPaths.jkit(known), { ...json({ content }), method: 'PUT' }));
      if (changed !== null) {
        contents.set(known, [content]);
      }
      busy.delete(known);
      return changed !== null;
    },
    async findMissing(call) {
      const present = new Map<string, string>();
      for (let skip = 0, total = 1; skip < total; skip += 100) {
        const list = (await read(call, `${jkitPaths.jkits}?limit=100&skip=${skip}`)) as JkitList;
        total = list.pagination.total;
        for (const { _id, content } of list.data) {
          present.set(_id, content);
        }
      }
      return [...contents]
        .filter(([id, right]) => !right.includes(present.get(id) ?? ''))
        .map(([id]) => `jkit ${id} is missing or has another content`);
    },
  };
}
