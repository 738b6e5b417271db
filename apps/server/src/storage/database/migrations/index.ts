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

export const migrations: Readonly<Record<string, Migration>> = {
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
};
