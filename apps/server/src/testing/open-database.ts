/** The product's database for who is not the product: tests and benchmarks of other workspaces. */
export { openDatabase } from '../storage/database/database.ts';
