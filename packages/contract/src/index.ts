/**
 * Everything that the server and the web app exchange: schemas of bodies, queries and answers, and everything of
 * `./constants`. Schemas use `zod/mini`, which is small enough for the web app.
 */
export { Account, AccountAnswer, PublicNameChange } from './accounts.ts';
export {
  buildLimits,
  deviceFamilies,
  deviceModelName,
  familyOf,
  firmwareEndings,
  firmwareFormatOf,
  modelsOf,
  moreDeviceModels,
  specifiedModels,
} from './build-rules.ts';
export { buildText } from './build-text.ts';
export { Build, BuildGuards } from './builds.ts';
export * from './constants.ts';
export {
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
export { FirmwareFile } from './firmware-file.ts';
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
export { NewBuild } from './new-build.ts';
export { NewVersion, NewVersionForm } from './new-version.ts';
export { PublicConfig } from './public-config.ts';
export { pullText } from './pull-rules.ts';
export {
  ChannelChange,
  ChannelQuery,
  ConsoleChange,
  ConsoleSettings,
  type DescriptionChange,
  EspManifest,
  FlashesAnswer,
  FlashReport,
  History,
  HistoryEntry,
  HistoryQuery,
  historyActions,
  NewProject,
  NewPull,
  Project,
  ProjectAnswer,
  ProjectDescriptionChange,
  ProjectList,
  ProjectSummary,
  ShareAnswer,
  SharedVersionAnswer,
  ShareEndChange,
  SharingChange,
  Version,
  VersionAnswer,
  VersionDescriptionChange,
  VersionList,
} from './releases.ts';
export { NewToken, NewTokenAnswer, Token, TokenList } from './tokens.ts';
export { Withheld } from './withheld.ts';
