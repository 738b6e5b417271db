/**
 * `/polyfills.js`: what the product uses and older browsers lack, Chromium from 89 on. `theme.js` has it run before all modules
 * where it is needed, and only there; a worker of such a browser imports it first. `e2e/old-browser` compares the list with what
 * the build uses.
 */
import 'core-js/modules/es.array.at.js';
import 'core-js/modules/es.array.find-last.js';
import 'core-js/modules/es.array.find-last-index.js';
import 'core-js/modules/es.array.to-reversed.js';
import 'core-js/modules/es.array.to-sorted.js';
import 'core-js/modules/es.array.to-spliced.js';
import 'core-js/modules/es.array.with.js';
import 'core-js/modules/es.error.cause.js';
import 'core-js/modules/es.map.group-by.js';
import 'core-js/modules/es.object.has-own.js';
import 'core-js/modules/es.promise.with-resolvers.js';
import 'core-js/modules/es.string.at-alternative.js';
import 'core-js/modules/es.string.is-well-formed.js';
import 'core-js/modules/es.string.to-well-formed.js';
import 'core-js/modules/es.typed-array.at.js';
import 'core-js/modules/es.typed-array.find-last.js';
import 'core-js/modules/es.typed-array.find-last-index.js';
import 'core-js/modules/es.typed-array.to-reversed.js';
import 'core-js/modules/es.typed-array.to-sorted.js';
import 'core-js/modules/es.typed-array.with.js';
import 'core-js/modules/web.url.parse.js';
import { provideAbortSignal } from '../shared/polyfills/abort-signal.ts';
import { provideBeforeUnload } from '../shared/polyfills/before-unload.ts';
import { provideHasSelector } from '../shared/polyfills/has-selector.ts';
import { providePopover } from '../shared/polyfills/popover.ts';
import { provideRandomUuid } from '../shared/polyfills/random-uuid.ts';
import { provideResponseJson } from '../shared/polyfills/response-json.ts';
import { polyfillWorkers } from '../shared/polyfills/workers.ts';
import { provideSinkSignal } from '../shared/polyfills/writable-stream.ts';

/** Put in by the build (`css-fallbacks.ts`). */
declare const HAS_SELECTORS: readonly string[];

provideAbortSignal();
provideResponseJson();
provideRandomUuid();
provideSinkSignal();
if (typeof document !== 'undefined') {
  provideBeforeUnload();
  providePopover();
  provideHasSelector(HAS_SELECTORS);
  polyfillWorkers();
}
