/**
 * Builds of a release and the choice for a board: the entry `@wirebench/flasher/release/builds`. A page that only chooses loads
 * no reader of manifests and no check of files.
 */

export { isWithBootloader } from '../images/sketch-name.ts';
export { avrBoardFacts, espBoardFacts, nrfBoardFacts, rpBoardFacts, stmBoardFacts } from './board-facts.ts';
export {
  type AppVersion,
  allOf,
  anyOf,
  type BoardFacts,
  type BuildChoice,
  type BuildGuards,
  buildName,
  chipsOf,
  chooseBuild,
  guardTexts,
  otherAppVersions,
  otherVersionText,
  type ReleaseBuild,
  versionFor,
} from './release-build.ts';
