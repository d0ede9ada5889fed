/** Patterns that are only known at run time, by their code, and why they cannot hold the event loop. */
export const runsElsewhere: Readonly<Record<string, string>> = {
  'new RegExp(pattern)':
    'src/agents/model/tools/search.ts only checks whether a pattern can be read, and matches nothing with it.',
  'new RegExp(source, flags)':
    'src/search/query/parse-query.ts only checks whether a pattern can be read, and matches nothing with it.',
  'new RegExp(term.source, `${term.flags}g`)':
    'src/search/match/match-text.ts runs in a thread of its own, which is ended after 2 s.',
  "new RegExp(task.pattern, task.ignoreCase ? 'i' : '')":
    'src/agents/model/tools/search-files.ts runs in a thread of its own, which is ended after 20 s.',
}
