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

/** What a link of others may be given. */
export interface ForeignLinkProps {
  readonly address: string
  readonly title?: string | null | undefined
  readonly children: ReactNode
}

/** Whether this stands in a link already: then it leads nowhere itself. */
const InLink = createContext(false)

/** A link that others wrote. It leads nowhere by itself: it asks first, and shows where to. What is no web address is only words. */
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
