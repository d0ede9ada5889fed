import type { ReactElement } from 'react'
import styles from './approval-dock.module.css'
import { coveredText, type RuleToBe } from './rule-words.ts'
import { WholeText } from './whole-text.tsx'

/** Exactly what "Always allow" would cover. A long input is shown next to it already. */
export const RuleLine = ({ rule }: { readonly rule: RuleToBe }): ReactElement => (
  <p className={styles['hint']}>
    “Always allow” covers only <RuleWords rule={rule} isBrief={!isShort(coveredText(rule))} /> in this
    session. You can revoke it in Approvals.
  </p>
)

const isShort = (text: string) => text.length <= 100 && !text.includes('\n')

/** A rule: the tool, and the one input that it covers. */
export const RuleWords = ({
  rule,
  isBrief = false,
}: {
  readonly rule: RuleToBe
  /** Whether the input is left out. */
  readonly isBrief?: boolean
}): ReactElement => (
  <>
    <b>
      <WholeText text={rule.tool} />
    </b>{' '}
    {isBrief ? (
      'with exactly this input'
    ) : (
      <>
        with exactly{' '}
        <code className={styles['code']}>
          <WholeText text={coveredText(rule)} />
        </code>
      </>
    )}
  </>
)
