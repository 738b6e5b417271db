/** For the tests of components: how long they wait for what appears. On a busy machine the first import of a page takes seconds. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 15_000 });
