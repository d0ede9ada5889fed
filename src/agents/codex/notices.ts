import { notice, type Op } from '../kit/parts.ts'
import { limitsIn } from './limits.ts'
import { asObject, listOf, objectOf, textOf, textOrNull, wordsIn, type Fields } from '../kit/fields.ts'

/** Notices of the app-server that are shown beside the conversation; null if there is nothing to show. */
export const notices: Readonly<Record<string, (params: Fields) => Op | null>> = {
  warning: params => notice('warning', 'warning', textOf(params, 'message')),
  guardianWarning: params => notice('warning', 'guardian-warning', textOf(params, 'message')),
  configWarning: params => notice('warning', 'config-warning', withDetails(params)),
  deprecationNotice: params => notice('info', 'deprecation', withDetails(params)),
  'account/rateLimits/updated': params => limitsIn(objectOf(params, 'rateLimits')),
  'thread/compacted': () => null,
  'thread/goal/updated': params => {
    const goal = objectOf(params, 'goal')
    return notice('info', 'goal', `${textOf(goal, 'objective')} (${textOf(goal, 'status')})`)
  },
  'model/rerouted': params =>
    notice(
      'warning',
      'model-rerouted',
      `Another model answers: ${textOf(params, 'toModel')} for ${textOf(params, 'fromModel')}.`,
    ),
  'model/safetyBuffering/updated': params =>
    params['showBufferingUi'] === true
      ? notice('info', 'safety-buffering', `Held back for a check: ${namesIn(params, 'reasons')}.`)
      : null,
  'modelProvider/authRecoveryStarted': params => notice('info', 'login-recovery', textOf(params, 'message')),
  'modelProvider/authRecoveryCompleted': params =>
    notice('info', 'login-recovery', textOf(params, 'message')),
  'mcpServer/startupStatus/updated': params =>
    textOf(params, 'status') === 'failed'
      ? notice('warning', 'mcp-server', `${textOf(params, 'name')}: ${textOf(params, 'error')}`)
      : null,
  'mcpServer/oauthLogin/completed': params =>
    params['success'] === false
      ? notice('warning', 'mcp-login', `${textOf(params, 'name')}: ${textOf(params, 'error')}`)
      : null,
  'item/autoApprovalReview/completed': params => {
    const review = objectOf(params, 'review')
    const why = textOrNull(review, 'rationale')
    return notice(
      'info',
      'auto-review',
      [textOf(review, 'status'), ...(why === null ? [] : [why])].join(': '),
    )
  },
  'hook/completed': params => {
    const run = objectOf(params, 'run')
    const texts = [textOf(run, 'statusMessage'), wordsIn(listOf(run, 'entries'))].filter(Boolean)
    const level = textOf(run, 'status') === 'completed' ? 'info' : 'warning'
    return texts.length === 0 ? null : notice(level, 'hook', texts.join('\n'))
  },
  'windows/worldWritableWarning': params =>
    notice('warning', 'world-writable', `Anyone may write to ${namesIn(params, 'samplePaths')}.`),
}

/** Messages that are not shown: their state is reported elsewhere, or has no place in a conversation. */
export const silentKinds: ReadonlySet<string> = new Set([
  'account/gatewayOAuth/changed',
  'account/login/completed',
  'account/updated',
  'app/list/updated',
  'autoApprovalReview/strictReviewRequired',
  'externalAgentConfig/import/completed',
  'externalAgentConfig/import/progress',
  'fs/changed',
  'fuzzyFileSearch/sessionCompleted',
  'fuzzyFileSearch/sessionUpdated',
  'hook/started',
  'item/autoApprovalReview/started',
  'mcpServer/event/stream/notification',
  'model/verification',
  'project/changed',
  'rawResponse/completed',
  'remoteControl/status/changed',
  'skills/changed',
  'thread/archived',
  'thread/attachment/updated',
  'thread/closed',
  'thread/deleted',
  'thread/environment/connected',
  'thread/environment/disconnected',
  'thread/goal/cleared',
  'thread/name/updated',
  'thread/prediction/updated',
  'thread/project/updated',
  'thread/queue/changed',
  'thread/readState/changed',
  'thread/reverted',
  'thread/status/changed',
  'thread/unarchived',
  'turn/moderationMetadata',
  'windowsSandbox/setupCompleted',
  // Requests that the connection answers without a person.
  'account/chatgptAuthTokens/refresh',
  'attestation/generate',
  'currentTime/read',
  'item/tool/call',
])

function withDetails(params: Fields): string {
  const details = textOrNull(params, 'details')
  const summary = textOf(params, 'summary')
  return details === null ? summary : `${summary} ${details}`
}

function namesIn(params: Fields, name: string): string {
  return listOf(params, name)
    .map(each => (typeof each === 'string' ? each : textOf(asObject(each), 'name')))
    .join(', ')
}
