import { describeMachine } from '../harness/machine.ts'
import { checksOf } from './checks.ts'
import { cacheModels, fixedPrefix, tokensPerCall, tokensPerCharacter, tokensPerResult } from './counting.ts'
import type { Score } from './replay.ts'
import type { Report } from './report.ts'
import { markdownOf } from './table.ts'

const { fiveMinutes, oneHour } = cacheModels

const counting = [
  `Tokens are characters × ${tokensPerCharacter}, + ${tokensPerCall} for a call, + ${tokensPerResult} for a result; every request has ${fixedPrefix} more before its messages.`,
  `A request costs ${fiveMinutes.read} × what the provider has cached + ${fiveMinutes.write} × the rest (${oneHour.write} with a cache of an hour). The cache is cold at the first request of a conversation and after ${fiveMinutes.seconds} s without one; a compaction begins a new conversation.`,
  'An edit is lost when the text that it replaces was in the history and can be read nowhere in what is sent. It is split when all of it can be read, but only by following a reference. An identifier (12 characters and more, used by the model) is lost when all that had it before is cleared. Both are shares of what had a source.',
  'A break is a warm request whose prefix is not that of the request before. The last column is the time in the compiler, a request on average and at most. Pictures count as nothing, because a transcript does not have their size.',
]

/** The page that keeps the numbers: nothing in it is typed by hand. */
export const documentOf = (report: Report, scores: readonly Score[], command: string, now: Date): string =>
  [
    '# Context benchmark',
    '',
    `Written by \`${command}\` on ${now.toISOString().slice(0, 10)}; do not edit.`,
    '',
    `${report.sessions} sessions of Claude Code, ${report.requests} model requests, each replayed under every policy. Machine: ${describeMachine()}.`,
    '',
    markdownOf(report),
    '',
    checksOf(scores),
    '',
    '## How it is counted',
    '',
    ...counting.map(line => `- ${line}`),
    '',
  ].join('\n')
