import type { ReactElement } from 'react'
import type { Context } from 'dragoman/client/context'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { counted, short } from '../ui/amounts.ts'
import { Badge } from '../ui/badge.tsx'
import styles from './summary.module.css'
import { lessWords, reachWords, savedWords } from './words.ts'

/** How much the model is sent, and when a change takes effect. */
export function Summary({ context }: { readonly context: Context }): ReactElement {
  const { agent, effective, explanation, source, policy, request, covered, saved } = context
  const { before, after } = request.tokens
  const [reach, tone] = reachWords[effective]
  return (
    <div className={styles['summary']}>
      <p className={styles['tokens']}>
        <b>{short(after)}</b>
        {` tokens ${source === 'sent' ? 'were sent' : 'would be sent'}`}
        {before !== after && ` instead of ${short(before)}`}
        <Badge tone={after < before ? 'good' : 'neutral'}>{lessWords(request.tokens)}</Badge>
      </p>
      <div className={styles['bar']} role="img" aria-label={`${after} of ${counted(before, 'token')}`}>
        <div
          style={{ width: `${before === 0 ? 100 : Math.min(100, Math.round((100 * after) / before))}%` }}
        />
      </div>
      <p className={styles['facts']}>
        {`${agentTitle(useKnownAgents(), agent)} · ${counted(request.messages, 'message')} · profile `}
        <b>{policy}</b>
        {source === 'sent' &&
          ` · request ${request.step}${request.isCold ? ' · the provider’s cache had expired' : ''}`}
      </p>
      {saved.requests > 0 && <p className={styles['facts']}>{savedWords(saved)}</p>}
      <p className={styles['reach']}>
        <Badge tone={tone}>{reach}</Badge> {explanation}
        {source === 'advisory' && ' Preview only.'}
        {covered.earlier > 0 &&
          ` Covers the newest ${counted(covered.messages, 'message')}; ${covered.earlier} older not included.`}
      </p>
    </div>
  )
}
