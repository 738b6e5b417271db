/**
 * The part of the contract that needs no schema library: paths, limits, texts, codes. The web app's first screen
 * imports this entry only.
 */
export type { BuildConnection } from './build-rules.ts';
export { crashLimits, elfText } from './crash-rules.ts';
export { csvRecord, harmlessCell } from './csv-cells.ts';
export { type ErrorCode, errorStatus, errorText } from './error-codes.ts';
export {
  checkFeedbackMessage,
  type FeedbackMessageFault,
  feedbackLimits,
  feedbackText,
} from './feedback-rules.ts';
export { firmwarePaths, sharedFirmwarePaths, sharedFirmwareRoot, tokenPaths } from './firmware-paths.ts';
export { type GuidanceTopic, guidanceTopics } from './guidance.ts';
export { identityPaths, identitySettings } from './identity-paths.ts';
export { jkitPaths } from './jkit-paths.ts';
export { checkJkitContent, type JkitContentFault, jkitLimits, jkitSorts, jkitText, jkitTypes } from './jkit-rules.ts';
export { defaultReleaseLimits, demoReleaseId, probeReleaseIds } from './limits.ts';
export {
  type LiveCaller,
  livePaths,
  liveProtocols,
  liveSubprotocol,
  liveText,
  readLiveProtocols,
} from './live-rules.ts';
export { accountPaths, moderationPaths, reportsPath } from './moderation-paths.ts';
export {
  type ModerationAction,
  moderationActions,
  moderationLimits,
  moderationText,
  type ReportedType,
  type ReportReason,
  reportedTypes,
  reportReasons,
} from './moderation-rules.ts';
export {
  addressText,
  formatOffset,
  offsetFaultText,
  parseOffset,
  readTypedOffset,
  type TypedOffset,
} from './offsets.ts';
export {
  apiPaths,
  esp32BenchPage,
  guidancePath,
  livePage,
  logPage,
  pagePaths,
  signInFontPath,
  staticPages,
} from './paths.ts';
export { picturePaths } from './picture-paths.ts';
export {
  checkPublicName,
  normalizePublicName,
  type PublicNameFault,
  publicNameKey,
  publicNameLimits,
  publicNameText,
} from './public-names.ts';
export {
  consoleBaudRates,
  lineEndings,
  nameKey,
  type ReleaseChannel,
  releaseChannels,
  releaseLimits,
  releaseText,
} from './release-rules.ts';
export { defaultRolesClaim, rolesAt } from './role-claims.ts';
export { normalizeLine, readableLine, type SingleLineFault, singleLineFault, singleLineText } from './single-line.ts';
export { tokenLimits, tokenPrefix, tokenScopes, tokenText } from './token-rules.ts';
