import type { ReactElement, SyntheticEvent } from 'react'
import { createPortal } from 'react-dom'
import { ExternalLink } from 'lucide-react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { ForeignAddress } from './foreign-address.ts'
import styles from './foreign-link.module.css'

/** Shows where a link leads before the user opens it. */
export const LeaveDialog = ({
  open,
  target: { address, host, warnings },
  onClose,
}: {
  readonly open: boolean
  readonly target: ForeignAddress
  readonly onClose: () => void
}): ReactElement =>
  createPortal(
    // Events in the dialog must not reach the elements around the link.
    <div onClick={keep} onKeyDown={keep}>
      <Dialog open={open} title="Open a link?" onClose={onClose}>
        <div className={styles['leave']}>
          <p className={styles['host']}>{host}</p>
          <p className={styles['address']}>{address}</p>
          {warnings.map(warning => (
            <p key={warning} className={styles['warning']}>
              {warning}
            </p>
          ))}
          <div className={styles['actions']}>
            <a
              className={styles['open']}
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              referrerPolicy="no-referrer"
              onClick={onClose}
            >
              <ExternalLink size={16} aria-hidden />
              Open
            </a>
            <CopyButton text={address} label="Copy link" />
          </div>
        </div>
      </Dialog>
    </div>,
    document.body,
  )

const keep = (event: SyntheticEvent) => event.stopPropagation()
