import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';

export const emptyApi = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: process.env['SERVICE'] ?? '' }),
  endpoints: () => ({}),
});
