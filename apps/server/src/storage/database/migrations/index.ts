/** Every step of the schema in order. A released step is never changed; a change needs a new step. */
import type { Migration } from 'kysely/migration';
import { feedback } from './0001-feedback.ts';
import { jkits } from './0002-jkits.ts';
import { firmware } from './0003-firmware.ts';
import { tokens } from './0004-tokens.ts';
import { newestFirst } from './0005-newest-first.ts';
import { listsByIndex } from './0007-lists-by-index.ts';
import { accounts } from './0008-accounts.ts';
import { moderation } from './0009-moderation.ts';
import { moderationLists } from './0010-moderation-lists.ts';
import { sharedChips } from './0011-shared-chips.ts';
import { crashes } from './0012-crashes.ts';
import { searchesAndTokens } from './0013-searches-and-tokens.ts';
import { builds } from './0014-builds.ts';
import { channels } from './0015-channels.ts';
import { pulledFiles } from './0016-pulled-files.ts';
import { accountRoles } from './0017-account-roles.ts';
import { buildElfs } from './0018-build-elfs.ts';
import { pictures } from './0019-pictures.ts';
import { sharedDecoders } from './0020-shared-decoders.ts';
import { accountNames } from './0021-account-names.ts';

const steps = {
  '0001-feedback': feedback,
  '0002-jkits': jkits,
  '0003-firmware': firmware,
  '0004-tokens': tokens,
  '0005-newest-first': newestFirst,
  '0007-lists-by-index': listsByIndex,
  '0008-accounts': accounts,
  '0009-moderation': moderation,
  '0010-moderation-lists': moderationLists,
  '0011-shared-chips': sharedChips,
  '0012-crashes': crashes,
  '0013-searches-and-tokens': searchesAndTokens,
  '0014-builds': builds,
  '0015-channels': channels,
  '0016-pulled-files': pulledFiles,
  '0017-account-roles': accountRoles,
  '0018-build-elfs': buildElfs,
  '0019-pictures': pictures,
  '0020-shared-decoders': sharedDecoders,
  '0021-account-names': accountNames,
} satisfies Record<string, Migration>;

export const migrations: Readonly<Record<string, Migration>> = steps;

/** The newest step of this version of the product. */
export const newestStep: string = Object.keys(migrations).at(-1) ?? '';

/**
 * The behaviour of servers from before a step beside newer ones, while several servers are updated
 * (docs/operating.md). Every step has a line here.
 *
 * - `work`: they serve nothing wrong of what newer servers store, because it is in tables that they do not read, or in
 *   columns whose absence they may ignore.
 * - `stop`: they would show something as what it is not, or remove it. A newer server does not start beside them.
 */
export const olderServers: Readonly<Record<keyof typeof steps, 'work' | 'stop'>> = {
  '0001-feedback': 'work',
  '0002-jkits': 'work',
  '0003-firmware': 'work',
  '0004-tokens': 'work',
  '0005-newest-first': 'work',
  '0007-lists-by-index': 'work',
  // They publish under the names of user accounts.
  '0008-accounts': 'stop',
  // Withheld items are private as well, so they do not show them.
  '0009-moderation': 'work',
  '0010-moderation-lists': 'work',
  // They cannot list chips, and remove those that come with the product.
  '0011-shared-chips': 'stop',
  '0012-crashes': 'work',
  '0013-searches-and-tokens': 'work',
  // They list the files of all builds as one build.
  '0014-builds': 'stop',
  // They offer a beta as the newest stable version.
  '0015-channels': 'stop',
  '0016-pulled-files': 'work',
  // They ask the provider for rights, as newer ones do.
  '0017-account-roles': 'work',
  // They remove the ELF files of all builds with that of the version.
  '0018-build-elfs': 'stop',
  // They show the drawing of a board. Bytes that they leave behind with a project are swept.
  '0019-pictures': 'work',
  // They cannot list decoders, and remove those that come with the product.
  '0020-shared-decoders': 'stop',
  // They find accounts by their public names alone.
  '0021-account-names': 'work',
};
