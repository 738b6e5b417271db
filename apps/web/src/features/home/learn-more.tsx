import { pagePaths } from '@wirebench/contract/constants';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { buttonClass } from '../../shared/ui/button-class.ts';
import styles from './learn-more.module.css';

export function LearnMore() {
  return (
    <div className={styles['banner']}>
      <span>
        <b>New to serial work?</b> Six short screens show what each tool does and how a JKit, a saved set of commands,
        spares you typing.
      </span>
      <Link to={pagePaths.intro} className={buttonClass()}>
        Read the introduction
        <ArrowRight />
      </Link>
    </div>
  );
}
