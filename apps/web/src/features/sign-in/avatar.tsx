import { initials, type UserInfo } from '../../shared/session/user-info.ts';
import styles from './avatar.module.css';

/** The user's picture, else initials on the accent colour. Says nothing by itself: the name is beside it. */
export function Avatar({ user }: { readonly user: UserInfo }) {
  return user.picture === null ? (
    <span className={styles['avatar']} aria-hidden="true">
      {initials(user.name)}
    </span>
  ) : (
    <img className={styles['avatar']} src={user.picture} alt="" referrerPolicy="no-referrer" width={24} height={24} />
  );
}
