/**
 * `npm run test:deploy`: tests only the files of `deploy/`, which `npm test` also covers. It runs two servers behind
 * the proxy while versions change and servers stop, and the image if Podman or Docker runs. The last line is the
 * result.
 */
import { provideCaddy } from './test/caddy.ts';
import { compileModulesOnce } from './test/compile-cache.ts';
import { checkImage } from './test/image.ts';
import { keepTemporaryFilesInMemory } from './test/memory-folder.ts';
import { providePostgres } from './test/postgres.ts';
import { provideRedis } from './test/redis.ts';
import { countReport } from './test/report.ts';
import { vitest } from './test/runners.ts';
import { type Counts, countsText, sum } from './test/step.ts';

keepTemporaryFilesInMemory();
compileModulesOnce();

const deployTests = vitest({ name: 'deploy', args: ['--project=server', 'apps/server/src/deploy'] });
const results: Counts[] = [];
for (const run of [
  providePostgres,
  provideRedis,
  provideCaddy,
  async () => countReport(await deployTests.run()),
  checkImage,
]) {
  results.push(await run());
}
const counts = sum(results);
console.log(countsText(counts));
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
