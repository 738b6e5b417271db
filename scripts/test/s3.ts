/**
 * Finds an S3 store for the server's tests: the one that the S3_TEST_* variables name, Ceph's gateway where it is installed, the
 * same from the system's package manager; in this order.
 */
import { isGatewayInstalled } from '../../apps/server/src/testing/s3-gateway.ts';
import { installPackages } from './browser.ts';
import { type Counts, passedOnce } from './step.ts';

/** What cannot be had is counted as skipped. */
export function provideS3(): Counts {
  if (process.env.S3_TEST_ENDPOINT || isGatewayInstalled() || installed()) {
    return passedOnce;
  }
  console.error(
    'No S3 gateway could be found or installed: install radosgw, or set S3_TEST_*. Its suites are skipped.',
  );
  return { passed: 0, failed: 0, skipped: 1 };
}

function installed(): boolean {
  return installPackages('radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common') && isGatewayInstalled();
}
