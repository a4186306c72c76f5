/** How changesets writes a change into CHANGELOG.md: the sentence alone. The window shows it as "What's new". */
module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replace(/\n/g, '\n  ')}`,
  getDependencyReleaseLine: async () => '',
};
