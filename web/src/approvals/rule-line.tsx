import type { ReactElement } from 'react'
import styles from './approval-dock.module.css'
import { reachOf, type RuleToBe } from './rule-words.ts'
import { WholeText } from './whole-text.tsx'

/** What "always" would allow from now on, exactly. */
export const RuleLine = ({ rule }: { readonly rule: RuleToBe }): ReactElement => (
  <p className={styles['hint']}>
    Always: <RuleWords rule={rule} />. It can be taken back.
  </p>
)

/** A rule: the tool, the command, and how far it goes. */
export const RuleWords = ({ rule }: { readonly rule: RuleToBe }): ReactElement => (
  <>
    <b>
      <WholeText text={rule.tool} />
    </b>
    {rule.command !== null && (
      <>
        {' '}
        <code className={styles['code']}>
          <WholeText text={rule.command} />
        </code>
      </>
    )}
    , {reachOf(rule)}
  </>
)
