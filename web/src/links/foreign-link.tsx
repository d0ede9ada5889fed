import {
  createContext,
  useContext,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { inertString } from '../safety/inert-text.ts'
import { readForeignAddress } from './foreign-address.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import styles from './foreign-link.module.css'

/** The props of an untrusted link. */
export interface ForeignLinkProps {
  readonly address: string
  readonly title?: string | null | undefined
  readonly children: ReactNode
}

/** Whether this is inside a link already, so that it must not be one itself. */
const InLink = createContext(false)

/**
 * A link from an agent or tool. It asks before it opens, and shows the target. Anything but a web address stays
 * plain text.
 */
export function ForeignLink({ address, title, children }: ForeignLinkProps): ReactElement {
  const [asking, ask] = useState<boolean | null>(null)
  const isInLink = useContext(InLink)
  const target = readForeignAddress(address)
  const hint = inertString([title, target?.address ?? address].filter(Boolean).join(' – '))
  if (target === null || isInLink) return <span title={hint}>{children}</span>
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    ask(true)
  }
  return (
    <>
      <a
        role="button"
        tabIndex={0}
        aria-haspopup="dialog"
        title={hint}
        className={styles['link']}
        onClick={() => ask(true)}
        onKeyDown={onKeyDown}
      >
        <InLink value>{children}</InLink>
      </a>
      {asking !== null && <LeaveDialog open={asking} target={target} onClose={() => ask(false)} />}
    </>
  )
}
