import type { Row, Tables } from '../../journal/sqlite/tables.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { noCuts, type Charge, type PriceCuts } from '../charges.ts'
import type { Grouping } from '../read-usage.ts'
import { chargeIn } from './gather-usage.ts'
import { groupsOf } from './usage-sources.ts'
import { groupSql, isCounted, isOfOthers, parametersOf, type Ranged } from './usage-sql.ts'

/** What tokens can be grouped by. */
export const chargeGroups: { readonly [Name in Grouping]?: string } = {
  ...groupsOf('used', 'used.seq'),
  model: 'used.model',
}

/**
 * Tokens by group, apart where their prices may differ. By hour and block, a request counts when it was made; otherwise it
 * counts with its message. What a message used beyond its single requests counts with the message, as a sum of requests.
 */
export async function readCharges(tables: Tables, filter: Ranged): Promise<readonly Row[]> {
  const isTimed = filter.by.includes('hour') || filter.by.includes('block')
  const cuts = filter.cutsOf?.(await readModels(tables, filter)) ?? noCuts
  const { columns, places, join } = groupSql(filter, chargeGroups, 'used.at')
  const apart = ['priced', 'used.reported', bucketOf(cuts)]
  return tables.read(
    `select ${[...columns, 'priced', 'used.reported'].join(', ')},
       ${tokenSums}
     from (${usedIn(inRange, isTimed)}) as used ${join}
     group by ${[...places, ...apart].join(', ')}`,
    parametersOf(filter),
  )
}

/** The tokens of some sessions, apart where their prices may differ. Copies are not counted. */
export async function readSessionCharges(
  tables: Tables,
  sessions: readonly SessionId[],
  cutsOf: (models: readonly string[]) => Promise<PriceCuts>,
): Promise<ReadonlyMap<SessionId, readonly Charge[]>> {
  const listed = [JSON.stringify(sessions)]
  const models = await tables.read(
    `select distinct priced from (${usedIn(inSessions, false)}) where reported = 0 and priced is not null`,
    listed,
  )
  if (models.length === 0) return new Map()
  const cuts = await cutsOf(models.map(({ priced }) => String(priced)))
  const rows = await tables.read(
    `select used.session as session, priced, used.reported, ${tokenSums} from (${usedIn(inSessions, false)}) as used
     group by ${['1', 'priced', 'used.reported', bucketOf(cuts)].join(', ')}`,
    listed,
  )
  const found = new Map<SessionId, Charge[]>()
  for (const row of rows) {
    const session = row['session'] as SessionId
    found.set(session, [...(found.get(session) ?? []), chargeIn(row)])
  }
  return found
}

const tokenSums = `sum(used.tokens_input) as input, sum(used.tokens_output) as output,
  sum(used.tokens_cache_read) as cache_read,
  sum(used.tokens_cache_write) as cache_write, sum(hour_writes) as hour_writes,
  min(used.at) as first, max(used.at) as last, max(context) as context`

/** The rows of the table `spent` to read, given the column with their time. */
type Which = (at: string) => string

/** Tokens of messages, those of single requests apart. */
const usedIn = (which: Which, isTimed: boolean) =>
  [whole(which), lessRequests(which), requests(which, isTimed)].join(' union all ')

const inSessions: Which = () => 'spent.copied = 0 and spent.session in (select value from json_each(?1))'

const inRange: Which = at =>
  `${at} >= ?1 and ${at} < ?2 and ?3 is not null and ${isCounted('spent')} and ${isOfOthers('spent', 4)}`

/** What an answer cost includes its subagents, which report tokens only. */
const reported = `(spent.cost is not null or (spent.thread <> '' and exists (
  select 1 from spent as main where main.session = spent.session and main.interaction = spent.interaction
    and main.thread = '' and main.cost is not null))) as reported`

const facts = `spent.session, spent.seq, spent.interaction, spent.agent, spent.model,
  ${reported}`

/** All that messages used. */
const whole = (which: Which) => `
  select ${facts}, spent.at, spent.model as priced, 0 as context, tokens_input, tokens_output,
    tokens_cache_read, tokens_cache_write, 0 as hour_writes
  from spent where ${which('spent.at')}`

const withRequests = `spent cross join model_request as request
  on request.session = spent.session and request.message = spent.message and request.thread = spent.thread`

/** Without what their single requests used. */
const lessRequests = (which: Which) => `
  select ${facts}, spent.at, spent.model, 0, -request.tokens_input, -request.tokens_output,
    -request.tokens_cache_read, -request.tokens_cache_write, 0
  from ${withRequests} where ${which('spent.at')}`

/** What single requests used. */
const requests = (which: Which, isTimed: boolean) => `
  select ${facts}, ${isTimed ? 'request.at' : 'spent.at'}, coalesce(request.model, spent.model),
    request.tokens_input + request.tokens_cache_read + request.tokens_cache_write,
    request.tokens_input, request.tokens_output, request.tokens_cache_read, request.tokens_cache_write,
    request.hour_writes
  from ${isTimed ? requestsFirst : withRequests} where ${which(isTimed ? 'request.at' : 'spent.at')}`

const requestsFirst = `model_request as request cross join spent
  on spent.session = request.session and spent.message = request.message and spent.thread = request.thread`

const dayMs = 86_400_000

/** A number that is the same for tokens between the same cuts. */
function bucketOf({ contexts, moments, daytimes }: PriceCuts): string {
  const above = (value: string, limits: readonly number[], sign: string) =>
    limits.map(limit => `(${value} ${sign} ${Math.trunc(limit)})`)
  const sums = [
    [...above('context', contexts, '>'), '0'].join(' + '),
    [...above('used.at', moments, '>='), '0'].join(' + '),
    [...above(`used.at % ${dayMs}`, daytimes, '>='), '0'].join(' + '),
  ]
  return sums.map(sum => `(${sum}) + 0`).join(', ')
}

/** The models whose prices are needed. */
async function readModels(tables: Tables, filter: Ranged): Promise<readonly string[]> {
  const rows = await tables.read(
    `select distinct model from spent where model is not null and ${inRange('spent.at')}
     union select distinct request.model from ${requestsFirst}
     where request.model is not null and ${inRange('request.at')}`,
    parametersOf(filter),
  )
  return rows.map(({ model }) => String(model))
}
