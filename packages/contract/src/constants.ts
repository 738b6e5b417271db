/**
 * The part of the contract that needs no schema library: paths, limits, texts, codes.
 * The web's first screen imports this entry only.
 */
export { type ErrorCode, errorStatus, errorText } from './error-codes.ts';
export {
  checkFeedbackMessage,
  type FeedbackMessageFault,
  feedbackLimits,
  feedbackText,
} from './feedback-rules.ts';
export { identityPaths, identitySettings } from './identity-paths.ts';
export { defaultReleaseLimits, demoReleaseId } from './limits.ts';
export { apiPaths, pagePaths, releasePath, staticPages } from './paths.ts';
