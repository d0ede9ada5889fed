import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { RuleId } from '../../protocol/ids.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Revokes a rule: from now on the agent asks again. */
export async function revokeRule(
  owned: OwnedSession,
  command: CommandOf<'revoke'>,
): Promise<Reply<'revoke'>> {
  const rule = command.rule as RuleId
  return owned.write(async appender => {
    if (!owned.writer.state.rules.some(({ id }) => id === rule))
      throw new DragomanError(
        'unknown-rule',
        `Session ${owned.writer.session} has no rule ${rule}. It may have been revoked already.`,
      )
    const [entry] = await appender.append([{ type: 'rule-revoked', rule }])
    return { seq: entry?.seq ?? 0 }
  })
}
