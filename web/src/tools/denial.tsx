import type { ReactElement } from 'react'
import type { ToolPart } from 'dragoman'
import type { ListedApproval } from 'dragoman/client'
import { InertText } from '../safety/inert-text.tsx'
import styles from './card-preview.module.css'

const who = {
  person: 'You denied this',
  rule: 'A rule denied this',
  timeout: 'Expired without an answer',
  server: 'Dragoman denied this',
} as const

/** Who did not allow a call, and why. */
export function Denial({
  part,
  approval,
}: {
  readonly part: ToolPart
  readonly approval: ListedApproval | undefined
}): ReactElement {
  const told = 'approval' in part ? part.approval : undefined
  const by = approval?.by ?? null
  const reason = approval?.reason ?? told?.reason ?? ('errorText' in part ? part.errorText : '')
  return (
    <p className={styles['denial']}>
      {by === null ? 'This was denied' : who[by]}
      {reason === '' ? '.' : ': '}
      <InertText text={reason} />
    </p>
  )
}
