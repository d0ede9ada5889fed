// Runs before anything is painted, so that who chose a look never sees the other one. The rest is in src/commands/theme.ts.
try {
  const theme = localStorage.getItem('dragoman:theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser that keeps nothing goes with the machine.
}
