import type { ProviderMetadata } from './chunk.ts'
import { isCut } from './cut-text.ts'
import { isObject, type Json } from './json.ts'
import { toolNamed } from './known-tools.ts'

/** What a rule covers: calls of one tool with exactly this input. */
export interface RuleScope {
  readonly tool: string
  /** The input as the agent asked, without its harmless keys. */
  readonly input: Json
}

/** What "always" would cover for one call; without a rule, why there can be none. */
export type RuleOffer =
  | { readonly rule: RuleScope; readonly ruleReason: null }
  | { readonly rule: null; readonly ruleReason: string }

/** A call as the agent asked about it. */
interface AskedCall {
  readonly toolName: string
  readonly input: Json
  readonly providerMetadata?: ProviderMetadata
}

/**
 * Keys that do not change what a call does, by tool: texts that the model writes for the reader, and facts that Codex derives
 * from the command. Rules ignore them and compare everything else. Listed in `docs/http.md`.
 */
export const harmlessKeys: Readonly<Record<string, readonly string[]>> = {
  Bash: ['description'],
  PowerShell: ['description'],
  bash: ['description'],
  run_shell_command: ['description'],
  commandExecution: ['reason', 'commandActions'],
  fileChange: ['reason'],
  requestPermissions: ['reason'],
}

/** Inputs longer than this, as JSON, get no rule: they would be kept with the state of the session. */
export const longestRuleInput = 16_384

const deepest = 50

const none = (ruleReason: string): RuleOffer => ({ rule: null, ruleReason })

/** What "always" would cover for a call. The same function shows it, saves it and compares later calls with it. */
export function ruleOffer({ toolName: tool, input, providerMetadata }: AskedCall): RuleOffer {
  const facts = providerMetadata?.['dragoman'] ?? {}
  const { family } = toolNamed(tool)
  if (family === 'ask' || family === 'plan' || tool === 'elicitation')
    return none('A question needs a new answer each time.')
  if ('earlierInput' in facts)
    return none('The agent first reported a different input for this call, so it needs approval each time.')
  if (facts['partialInput'] === true || isEmpty(input))
    return none('The agent does not report the full input of this call, so it needs approval each time.')
  if (facts['onlyForGood'] === true) return none('The agent cannot allow this call just once.')
  if (isCut(input)) return none('The input of this call is too long to show, so it cannot be allowed.')
  return scopeOffer(tool, input, facts['compared'] ?? {})
}

/** The rule for a complete input, with the details of the approval beside the input. */
function scopeOffer(tool: string, input: Json, added: Json): RuleOffer {
  if (isCut(added) || overlaps(input, added))
    return none('The approval and the call differ in a way that a rule cannot compare.')
  const bare = withoutHarmless(tool, input)
  if (isEmpty(bare)) return none('The input of this call has nothing that a rule could compare.')
  const covered = withFacts(bare, added)
  if (isLossy(covered))
    return none('The input of this call has numbers or characters that cannot be compared exactly.')
  if ((canonical(covered)?.length ?? Infinity) > longestRuleInput)
    return none('The input of this call is too long for a rule.')
  return { rule: { tool, input: covered }, ruleReason: null }
}

/** Whether two scopes are the same: the order of keys does not matter, every character does. */
export const isSameScope = (one: RuleScope, other: RuleScope): boolean =>
  one.tool === other.tool && isSameInput(one.input, other.input)

/** Whether two inputs are the same, whatever the order of their keys. Inputs nested too deeply are never the same. */
export function isSameInput(one: Json, other: Json): boolean {
  const text = canonical(one)
  return text !== null && text === canonical(other)
}

function withoutHarmless(tool: string, input: Json): Json {
  const harmless = Object.hasOwn(harmlessKeys, tool) ? harmlessKeys[tool] : undefined
  if (harmless === undefined || !isObject(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => !harmless.includes(key)))
}

/** The input, with the details of the approval beside it. */
function withFacts(input: Json, facts: Json): Json {
  return isObject(input) && isObject(facts) ? { ...input, ...facts } : input
}

/** Whether the approval has details that cannot be put beside the input: a name is taken, or the input has no fields. */
const overlaps = (input: Json, facts: Json): boolean =>
  isObject(facts) && Object.keys(facts).some(key => !isObject(input) || Object.hasOwn(input, key))

/** Whether reading it as JSON may have changed something: large numbers are rounded, and broken characters replaced. */
function isLossy(value: Json, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\uFFFD')
  if (typeof value === 'number') return !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null || depth === deepest) return false
  return Object.entries(value).some(([key, each]) => isLossy(key, depth) || isLossy(each, depth + 1))
}

function isEmpty(input: Json): boolean {
  if (typeof input === 'object' && input !== null) return Object.keys(input).length === 0
  return input === null || input === ''
}

/** A value as text, the keys of each object in one order; null when it is nested too deeply to compare. */
function canonical(value: Json, depth = 0): string | null {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth === deepest) return null
  const isList = Array.isArray(value)
  const fields = Object.entries(value as Readonly<Record<string, Json>>)
  const texts: string[] = []
  for (const [key, each] of isList ? fields : fields.toSorted(byKey)) {
    const text = canonical(each, depth + 1)
    if (text === null) return null
    texts.push(isList ? text : `${JSON.stringify(key)}:${text}`)
  }
  return isList ? `[${texts.join(',')}]` : `{${texts.join(',')}}`
}

const byKey = ([one]: readonly [string, Json], [other]: readonly [string, Json]) => (one < other ? -1 : 1)
