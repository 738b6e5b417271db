/** Texts of the library (docs/behaviour.md, "JKits"). Texts about the rules are in `packages/contract`. */

export const loginRequired = 'Please login to use jkits';

/** Actions on a JKit. Each is confirmed by the user, and its success is reported. */
export type JkitAct = 'save' | 'load' | 'update' | 'share' | 'unshare' | 'delete' | 'star' | 'unstar' | 'rate';

/** Verbs of the success texts, after the JKit's name. */
const doneWord = {
  save: 'saved',
  load: 'loaded',
  update: 'updated',
  share: 'shared',
  unshare: 'unshared',
  delete: 'deleted',
  star: 'starred',
  unstar: 'unstarred',
  rate: 'rated',
} satisfies Record<JkitAct, string>;

export const doneText = (act: JkitAct, name: string): string => `${name} ${doneWord[act]}`;

/** Subjects of the error texts: precede ' failed: …'. */
export const operationName = {
  save: 'Save JKit',
  load: 'Load JKit',
  update: 'Update JKit',
  share: 'Share JKit',
  unshare: 'Unshare JKit',
  delete: 'Delete JKit',
  star: 'Star JKit',
  unstar: 'Unstar JKit',
  rate: 'Rate JKit',
} satisfies Record<JkitAct, string>;
