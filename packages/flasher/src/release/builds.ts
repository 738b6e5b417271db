/**
 * Builds of a release and their choice for a board. Small, because pages need it before any file is checked or any
 * manifest is read.
 */
export { espBoardFacts, nordicBoardFacts, stmBoardFacts } from './board-facts.ts';
export { type BuildChoice, type BuildRefusal, chooseBuild } from './choose-build.ts';
export {
  anyOf,
  type BoardFacts,
  type BuildGuards,
  buildName,
  chipsOf,
  guardTexts,
  modelName,
  type ReleaseBuild,
} from './release-build.ts';
