/** Exports the product's database for tests and benchmarks of other workspaces. */
export { openDatabase } from '../storage/database/database.ts';
