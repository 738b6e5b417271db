export { allFamilies, type FamilyId, families, familyIds } from './families.ts';
export { familyBuilds } from './family-builds.ts';
export { isFamilyId } from './family-id.ts';
export { type FamilyTraits, familyTraits } from './family-traits.ts';
export { familyWords } from './family-words.ts';
export {
  boardsOf,
  chipOf,
  type DeviceModel,
  familyOf,
  furtherChipsOf,
  furtherModelsOf,
  modelName,
  modelsOf,
  specifiedModels,
  specifiedModelsOf,
} from './models.ts';
export { basePath, releasePage } from './pages.ts';
export { releaseOfPage } from './release-address.ts';
export {
  flasherPath,
  type ReleaseAddress,
  type ReleaseType,
  releaseOfQuery,
  releasePath,
} from './release-links.ts';
