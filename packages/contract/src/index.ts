/**
 * Everything that the server and the web app exchange: schemas of bodies, queries and answers, and everything of
 * `./constants`. Schemas use `zod/mini`, which is small enough for the web app.
 */
export { Account, AccountAnswer, PublicNameChange } from './accounts.ts';
export { buildLimits, firmwareEndings, firmwareFormatOf } from './build-rules.ts';
export { buildText } from './build-text.ts';
export { Build, BuildGuards, type ElfFile, FirmwareFile } from './builds.ts';
export * from './constants.ts';
export {
  BuildOfElf,
  CrashAnswer,
  CrashExample,
  CrashGroup,
  CrashList,
  CrashQuery,
  type CrashTask,
  ElfForm,
  ElfQuery,
  FoundElf,
  NewCrashReport,
  shortestBuild,
} from './crash-reports.ts';
export { ErrorAnswer, type FieldIssue } from './error-answer.ts';
export { EspManifest } from './esp-manifest.ts';
export {
  Feedback,
  FeedbackAnswer,
  FeedbackExportQuery,
  FeedbackList,
  FeedbackQuery,
  FeedbackStats,
  FeedbackStatsQuery,
  NewFeedback,
} from './feedback.ts';
export { Health } from './health.ts';
export { JkitChange, jkitContentFault, NewJkit, NewRating } from './jkit-bodies.ts';
export { JkitContent, type JkitMessage } from './jkit-content.ts';
export {
  Jkit,
  JkitAnswer,
  JkitList,
  JkitListQuery,
  JkitSearchList,
  JkitSearchQuery,
  ListedJkit,
  RatingAnswer,
  StarAnswer,
  StarredJkitList,
} from './jkits.ts';
export { LiveRoomAnswer, NewLiveRoomAnswer } from './live-rooms.ts';
export {
  AccountList,
  AccountQuery,
  AuditEntry,
  AuditList,
  ItemAnswer,
  ItemList,
  ItemQuery,
  ModeratedAccount,
  ModeratedAccountAnswer,
  ModeratedItem,
  ModerationPage,
  ModerationReason,
  NewReport,
  ReportEntry,
  ReportList,
} from './moderation.ts';
export { NewBuild, NewVersion, NewVersionForm } from './new-version.ts';
export {
  type PictureTheme,
  type PictureType,
  pictureLimits,
  pictureText,
  pictureThemes,
  pictureTypes,
  sentenceLimits,
  sentenceText,
} from './picture-rules.ts';
export { PictureForm, PictureQuery, ProjectPageChange } from './project-page.ts';
export { PublicConfig } from './public-config.ts';
export { pullText } from './pull-rules.ts';
export {
  ChannelChange,
  ChannelQuery,
  ConsoleChange,
  type DescriptionChange,
  FlashReport,
  NewProject,
  NewPull,
  ProjectDescriptionChange,
  ShareEndChange,
  SharingChange,
  VersionDescriptionChange,
} from './release-bodies.ts';
export { FlashesAnswer, History, HistoryEntry, HistoryQuery, historyActions } from './release-history.ts';
export {
  buildsOf,
  ConsoleSettings,
  Picture,
  Project,
  ProjectAnswer,
  ProjectList,
  ProjectSummary,
  ShareAnswer,
  SharedVersionAnswer,
  Version,
  VersionAnswer,
  VersionList,
} from './releases.ts';
export { AdminCounts, ServerState, type StateWarning } from './server-state.ts';
export { NewToken, NewTokenAnswer, Token, TokenList } from './tokens.ts';
export { isForSameBoards, type LocalBuild, type LocalFile, versionDifference } from './version-difference.ts';
export { Withheld } from './withheld.ts';
