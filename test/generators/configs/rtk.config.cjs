module.exports = {
  schemaFile: `${process.env.OUT}/description.json`,
  apiFile: `${process.env.OUT}/rtk-api.ts`,
  apiImport: 'emptyApi',
  outputFile: `${process.env.OUT}/rtk.ts`,
  exportName: 'api',
};
