import type { ReactElement } from 'react'
import { TriangleAlert } from 'lucide-react'
import type { SessionFacts } from 'dragoman/client'
import { LongWords } from '../ui/long-words.tsx'
import styles from './session-notices.module.css'

/** What one should know of the whole session: that its words cannot be saved. */
export const SessionNotices = ({
  facts: { trouble },
}: {
  readonly facts: SessionFacts
}): ReactElement | null =>
  trouble && (
    <div className={styles['notice']} role="note">
      <TriangleAlert size={16} aria-hidden />
      <span className={styles['text']}>
        <LongWords text={trouble.message} />
      </span>
    </div>
  )
