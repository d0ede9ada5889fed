import type { ReactElement } from 'react'
import styles from './approval-dock.module.css'
import { reachOf, type RuleToBe } from './rule-words.ts'
import { WholeText } from './whole-text.tsx'

/** What "always" would allow from now on, exactly. A long command stands beside it already, and needs the room there. */
export const RuleLine = ({ rule }: { readonly rule: RuleToBe }): ReactElement => (
  <p className={styles['hint']}>
    Always: <RuleWords rule={rule} isBrief={!isShort(rule.command ?? '')} />. It can be taken back.
  </p>
)

const isShort = (command: string) => command.length <= 100 && !command.includes('\n')

/** A rule: the tool, the command, and how far it goes. */
export const RuleWords = ({
  rule,
  isBrief = false,
}: {
  readonly rule: RuleToBe
  /** Whether the command is left out. */
  readonly isBrief?: boolean
}): ReactElement => (
  <>
    <b>
      <WholeText text={rule.tool} />
    </b>
    {rule.command !== null && !isBrief && (
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
