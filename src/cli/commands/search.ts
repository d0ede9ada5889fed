import { readWhole, wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { Hit, SearchPage, SessionsApi } from '../sessions-api/sessions-api.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import type { Shell } from '../shell.ts'
import { agoText, counted } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'
import { jsonLine } from '../terminal/json-line.ts'
import type { Output } from '../terminal/output.ts'
import { createProgressBar } from '../terminal/progress-bar.ts'

const usualLimit = 20
const longestPage = 100

/** Searches all sessions. */
export const search = defineCommand({
  name: 'search',
  operands: ['[QUERY …]'],
  about: `
Searches prompts, answers, thinking, tool inputs, tool outputs and titles of all sessions, newest first.
All words must be found; the last one may be the beginning of a word. In quotes, text must appear as it is,
and /…/ is a regular expression: dragoman search 'deploy "exit code 1" /E[A-Z]{3,}/'
Filters: agent:codex folder:my-project tool:Bash file:main.ts session:ID status:failed after:2026-11-01
before:2026-11-15 cost>1.50
With --json, prints one hit per line. Open a hit with: dragoman tail SESSION --after ENTRY`,
  flags: {
    limit: { type: 'string', value: 'N', help: `how many hits to show (default: ${usualLimit})` },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const limit = readWhole('search', 'limit', flags.limit) ?? usualLimit
    if (limit === 0) throw wrongUsage('search', '--limit must be 1 or more.')
    const query = operands.join(' ')
    if (query.trim() === '')
      throw wrongUsage('search', 'QUERY is missing. Enter a word, such as: dragoman search deploy')
    const configuration = readConfiguration(flags, shell)
    requireFolder(configuration)
    await using api = await openSessionsApi('search', configuration, shell)
    const { hits, next, behind } = await findAll(api, query, limit, shell)
    for (const hit of hits) {
      shell.out.write(flags.json === true ? jsonLine(hit) : hitText(hit, shell.out))
      await shell.out.drained()
    }
    if (flags.json !== true) shell.out.write(endText(hits.length, next !== null, shell.out))
    if (behind > 0)
      shell.err.write(
        `${counted(behind, 'entry is', 'entries are')} not indexed yet. Search again in a moment.\n`,
      )
    return 0
  },
})

/** The first hits, from as many pages as are needed. */
async function findAll(api: SessionsApi, query: string, limit: number, { err }: Shell): Promise<SearchPage> {
  using progress = createProgressBar(err, 'Indexing')
  let most = 1
  const onBehind = (behind: number) => {
    most = Math.max(most, behind)
    progress.show(1 - behind / most)
  }
  const hits: Hit[] = []
  let cursor: string | null = null
  for (;;) {
    const wish = {
      query,
      limit: Math.min(limit - hits.length, longestPage),
      ...(cursor !== null && { cursor }),
    }
    const page: SearchPage = await api.search(wish, onBehind)
    hits.push(...page.hits)
    cursor = page.next
    if (cursor === null || hits.length >= limit) return { ...page, hits }
  }
}

const kindTexts: Readonly<Record<Hit['kind'], string>> = {
  prompt: 'prompt',
  answer: 'answer',
  thinking: 'thinking',
  'tool-input': 'tool input',
  'tool-output': 'tool output',
  title: 'title',
}

/** Two lines: the place, and what was found there. */
function hitText({ session, seq, kind, at, snippet, ranges }: Hit, { style }: Output): string {
  let line = ''
  let end = 0
  for (const [from = 0, to = 0] of ranges) {
    line += inertPart(snippet.slice(end, from)) + style.bold(inertPart(snippet.slice(from, to)))
    end = to
  }
  line += inertPart(snippet.slice(end))
  const place = `${session} ${seq}  ${kindTexts[kind]}, ${agoText(at, Date.now())}`
  return `${style.dim(place)}\n  ${line.trim()}\n`
}

/** Keeps the spaces at the ends, which separate a found word from its neighbours. */
const inertPart = (text: string) => inertLine(`|${text}|`).slice(1, -1)

function endText(count: number, more: boolean, { style }: Output): string {
  if (count === 0) return 'Nothing was found. Try fewer words, or a part of a word.\n'
  return more ? style.dim('There are more. Use --limit to show them.\n') : ''
}
