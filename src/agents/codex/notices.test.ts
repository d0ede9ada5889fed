import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { notices } from './notices.ts'

/** The level, code and message of a notice; null if it is not shown. */
function shown(method: string, params: Readonly<Record<string, Json>>) {
  const op = notices[method]?.(params) ?? null
  if (op?.type !== 'show' || op.chunk.type !== 'data-notice') return op
  const { level, code, message } = op.chunk.data
  return [level, code, message]
}

describe('notices of Codex', () => {
  it.each([
    ['guardianWarning', { message: 'careful' }, ['warning', 'guardian-warning', 'careful']],
    ['configWarning', { summary: 'old', details: 'key x' }, ['warning', 'config-warning', 'old key x']],
    ['deprecationNotice', { summary: 'old' }, ['info', 'deprecation', 'old']],
    [
      'thread/goal/updated',
      { goal: { objective: 'ship', status: 'active' } },
      ['info', 'goal', 'ship (active)'],
    ],
    [
      'model/rerouted',
      { toModel: 'b', fromModel: 'a' },
      ['warning', 'model-rerouted', 'Another model answers: b for a.'],
    ],
    ['modelProvider/authRecoveryStarted', { message: 'again' }, ['info', 'login-recovery', 'again']],
    [
      'item/autoApprovalReview/completed',
      { review: { status: 'denied', rationale: 'risky' } },
      ['info', 'auto-review', 'denied: risky'],
    ],
    [
      'windows/worldWritableWarning',
      { samplePaths: ['/a', { name: '/b' }] },
      ['warning', 'world-writable', 'Anyone may write to /a, /b.'],
    ],
  ] as const)('[A5] %s is shown with its text', (method, params, expected) => {
    expect(shown(method, params)).toEqual(expected)
  })

  it('[J16] the limits of a subscription are reported with their names and ends', () => {
    const window = (usedPercent: unknown, windowDurationMins: unknown, resetsAt: unknown) => ({
      usedPercent,
      windowDurationMins,
      resetsAt,
    })
    const limitsOf = (rateLimits: object) => {
      const op = notices['account/rateLimits/updated']?.({ rateLimits: rateLimits as Json }) ?? null
      return op?.type === 'show' && op.chunk.type === 'data-limits' ? op.chunk.data.limits : null
    }
    expect(limitsOf({ primary: null, secondary: null })).toBeNull()
    expect(
      limitsOf({
        primary: window(62.5, 300, 1_795_000_000),
        secondary: window(100, 10_080, 1e300),
        rateLimitReachedType: 'rate_limit_reached',
      }),
    ).toEqual([
      { name: '5 hours', used: 0.625, resetsAt: 1_795_000_000_000, isReached: false },
      { name: 'week', used: 1, resetsAt: null, isReached: true },
    ])
    const hostile = { limitName: 'spark', primary: window(-1, 90, 'soon'), secondary: window('all', 1, 1) }
    expect(limitsOf(hostile)).toEqual([
      { name: 'spark: 90 minutes', used: null, resetsAt: null, isReached: false },
    ])
  })

  it('[A5] successes and empty messages are not shown', () => {
    expect(shown('thread/compacted', {})).toBeNull()
    expect(shown('mcpServer/startupStatus/updated', { status: 'ready', name: 'm' })).toBeNull()
    expect(shown('mcpServer/oauthLogin/completed', { success: true, name: 'm' })).toBeNull()
    expect(shown('hook/completed', { run: { status: 'completed', entries: [] } })).toBeNull()
    expect(shown('model/safetyBuffering/updated', { showBufferingUi: false })).toBeNull()
  })

  it('[A5] a failure is a warning that names what failed', () => {
    const server = { name: 'm', error: 'refused' }
    expect(shown('mcpServer/startupStatus/updated', { status: 'failed', ...server })).toEqual([
      'warning',
      'mcp-server',
      'm: refused',
    ])
    expect(shown('mcpServer/oauthLogin/completed', { success: false, ...server })).toEqual([
      'warning',
      'mcp-login',
      'm: refused',
    ])
    expect(shown('hook/completed', { run: { status: 'failed', statusMessage: 'no' } })).toEqual([
      'warning',
      'hook',
      'no',
    ])
  })
})
