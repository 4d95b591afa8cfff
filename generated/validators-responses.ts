// Generated from openapi/ by `make generate`. Not edited by hand.
// @ts-nocheck
import type { ErrorObject } from 'ajv';
import module0 from 'ajv/dist/runtime/ucs2length.js';
import module1 from 'ajv-formats/dist/formats.js';

/** True if the value matches the schema; otherwise `errors` has the violations, until the next call. */
export interface Check {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

const check_listNotifications_200_application_json = validate52;
const schema19 = {"$id":"check_listNotifications_200_application_json","$ref":"document#/components/schemas/NotificationPage"};
const schema21 = {"type":"object","required":["items","total","limit","offset","hasMore","unreadCount","nextCursor"],"properties":{"items":{"type":"array","items":{"$ref":"document#/components/schemas/Notification"}},"total":{"type":"integer","minimum":0},"limit":{"type":"integer","minimum":1,"maximum":100},"offset":{"type":"integer","minimum":0},"hasMore":{"type":"boolean"},"unreadCount":{"type":"integer","minimum":0},"nextCursor":{"type":["string","null"]}}};
const schema22 = {"type":"object","required":["notificationId","tenantId","userId","audience","type","category","severity","title","body","data","actor","actionUrl","groupKey","createdAt","expiresAt","seenAt","readAt","archivedAt","isRead"],"properties":{"notificationId":{"type":"string"},"tenantId":{"type":"string"},"userId":{"type":["string","null"]},"audience":{"$ref":"document#/components/schemas/NotificationAudience"},"type":{"type":"string"},"category":{"type":"string"},"severity":{"$ref":"document#/components/schemas/NotificationSeverity"},"title":{"type":"string"},"body":{"type":["string","null"]},"data":{"type":"object","additionalProperties":true},"actor":{"anyOf":[{"$ref":"document#/components/schemas/NotificationActor"},{"type":"null"}]},"actionUrl":{"type":["string","null"]},"groupKey":{"type":["string","null"]},"createdAt":{"type":"string","format":"date-time"},"expiresAt":{"type":["string","null"],"format":"date-time"},"seenAt":{"type":["string","null"],"format":"date-time"},"readAt":{"type":["string","null"],"format":"date-time"},"archivedAt":{"type":["string","null"],"format":"date-time"},"isRead":{"type":"boolean"}}};
const schema23 = {"type":"string","enum":["user","tenant"]};

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate56.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "user") || (data === "tenant"))){
validate56.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema23.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate56.errors = vErrors;
return errors === 0;
}
validate56.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema24 = {"type":"string","enum":["info","success","warning","critical"]};

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate58.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "info") || (data === "success")) || (data === "warning")) || (data === "critical"))){
validate58.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema24.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema25 = {"type":"object","required":["type","id","name"],"properties":{"type":{"type":"string","minLength":1,"maxLength":100},"id":{"type":"string","minLength":1,"maxLength":200},"name":{"type":["string","null"],"maxLength":200}}};
const func1 = module0.default;

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate60.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.id === undefined) && (missing0 = "id"))) || ((data.name === undefined) && (missing0 = "name"))){
validate60.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.type !== undefined){
let data0 = data.type;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 100){
validate60.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"}];
return false;
}
else {
if(func1(data0) < 1){
validate60.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate60.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 200){
validate60.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate60.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate60.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate60.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema25.properties.name.type},message:"must be string,null"}];
return false;
}
if(errors === _errs5){
if(typeof data2 === "string"){
if(func1(data2) > 200){
validate60.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate60.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"props":{"type":true,"id":true,"name":true},"dynamicProps":false,"dynamicItems":false};

const formats0 = module1.fullFormats["date-time"];

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((((((((data.notificationId === undefined) && (missing0 = "notificationId")) || ((data.tenantId === undefined) && (missing0 = "tenantId"))) || ((data.userId === undefined) && (missing0 = "userId"))) || ((data.audience === undefined) && (missing0 = "audience"))) || ((data.type === undefined) && (missing0 = "type"))) || ((data.category === undefined) && (missing0 = "category"))) || ((data.severity === undefined) && (missing0 = "severity"))) || ((data.title === undefined) && (missing0 = "title"))) || ((data.body === undefined) && (missing0 = "body"))) || ((data.data === undefined) && (missing0 = "data"))) || ((data.actor === undefined) && (missing0 = "actor"))) || ((data.actionUrl === undefined) && (missing0 = "actionUrl"))) || ((data.groupKey === undefined) && (missing0 = "groupKey"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))) || ((data.seenAt === undefined) && (missing0 = "seenAt"))) || ((data.readAt === undefined) && (missing0 = "readAt"))) || ((data.archivedAt === undefined) && (missing0 = "archivedAt"))) || ((data.isRead === undefined) && (missing0 = "isRead"))){
validate55.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.notificationId !== undefined){
const _errs1 = errors;
if(typeof data.notificationId !== "string"){
validate55.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
const _errs3 = errors;
if(typeof data.tenantId !== "string"){
validate55.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.userId !== undefined){
let data2 = data.userId;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate55.errors = [{instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: schema22.properties.userId.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.audience !== undefined){
const _errs7 = errors;
if(!(validate56(data.audience, {instancePath:instancePath+"/audience",parentData:data,parentDataProperty:"audience",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs8 = errors;
if(typeof data.type !== "string"){
validate55.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.category !== undefined){
const _errs10 = errors;
if(typeof data.category !== "string"){
validate55.errors = [{instancePath:instancePath+"/category",schemaPath:"#/properties/category/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.severity !== undefined){
const _errs12 = errors;
if(!(validate58(data.severity, {instancePath:instancePath+"/severity",parentData:data,parentDataProperty:"severity",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
const _errs13 = errors;
if(typeof data.title !== "string"){
validate55.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.body !== undefined){
let data8 = data.body;
const _errs15 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate55.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/type",keyword:"type",params:{type: schema22.properties.body.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data9 = data.data;
const _errs17 = errors;
if(errors === _errs17){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
}
else {
validate55.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actor !== undefined){
let data10 = data.actor;
const _errs20 = errors;
const _errs21 = errors;
let valid1 = false;
const _errs22 = errors;
if(!(validate60(data10, {instancePath:instancePath+"/actor",parentData:data,parentDataProperty:"actor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var _valid0 = _errs22 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var props0 = {};
props0.type = true;
props0.id = true;
props0.name = true;
}
const _errs23 = errors;
if(data10 !== null){
const err0 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs23 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate55.errors = vErrors;
return false;
}
else {
errors = _errs21;
if(vErrors !== null){
if(_errs21){
vErrors.length = _errs21;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actionUrl !== undefined){
let data11 = data.actionUrl;
const _errs25 = errors;
if((typeof data11 !== "string") && (data11 !== null)){
validate55.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/type",keyword:"type",params:{type: schema22.properties.actionUrl.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.groupKey !== undefined){
let data12 = data.groupKey;
const _errs27 = errors;
if((typeof data12 !== "string") && (data12 !== null)){
validate55.errors = [{instancePath:instancePath+"/groupKey",schemaPath:"#/properties/groupKey/type",keyword:"type",params:{type: schema22.properties.groupKey.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data13 = data.createdAt;
const _errs29 = errors;
if(errors === _errs29){
if(errors === _errs29){
if(typeof data13 === "string"){
if(!(formats0.validate(data13))){
validate55.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate55.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data14 = data.expiresAt;
const _errs31 = errors;
if((typeof data14 !== "string") && (data14 !== null)){
validate55.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: schema22.properties.expiresAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs31){
if(errors === _errs31){
if(typeof data14 === "string"){
if(!(formats0.validate(data14))){
validate55.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seenAt !== undefined){
let data15 = data.seenAt;
const _errs33 = errors;
if((typeof data15 !== "string") && (data15 !== null)){
validate55.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/type",keyword:"type",params:{type: schema22.properties.seenAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs33){
if(errors === _errs33){
if(typeof data15 === "string"){
if(!(formats0.validate(data15))){
validate55.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.readAt !== undefined){
let data16 = data.readAt;
const _errs35 = errors;
if((typeof data16 !== "string") && (data16 !== null)){
validate55.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/type",keyword:"type",params:{type: schema22.properties.readAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs35){
if(errors === _errs35){
if(typeof data16 === "string"){
if(!(formats0.validate(data16))){
validate55.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.archivedAt !== undefined){
let data17 = data.archivedAt;
const _errs37 = errors;
if((typeof data17 !== "string") && (data17 !== null)){
validate55.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/type",keyword:"type",params:{type: schema22.properties.archivedAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs37){
if(errors === _errs37){
if(typeof data17 === "string"){
if(!(formats0.validate(data17))){
validate55.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs37 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isRead !== undefined){
const _errs39 = errors;
if(typeof data.isRead !== "boolean"){
validate55.errors = [{instancePath:instancePath+"/isRead",schemaPath:"#/properties/isRead/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate55.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"props":{"notificationId":true,"tenantId":true,"userId":true,"audience":true,"type":true,"category":true,"severity":true,"title":true,"body":true,"data":true,"actor":true,"actionUrl":true,"groupKey":true,"createdAt":true,"expiresAt":true,"seenAt":true,"readAt":true,"archivedAt":true,"isRead":true},"dynamicProps":false,"dynamicItems":false};

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((data.items === undefined) && (missing0 = "items")) || ((data.total === undefined) && (missing0 = "total"))) || ((data.limit === undefined) && (missing0 = "limit"))) || ((data.offset === undefined) && (missing0 = "offset"))) || ((data.hasMore === undefined) && (missing0 = "hasMore"))) || ((data.unreadCount === undefined) && (missing0 = "unreadCount"))) || ((data.nextCursor === undefined) && (missing0 = "nextCursor"))){
validate54.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.items !== undefined){
let data0 = data.items;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validate55(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate54.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.total !== undefined){
let data2 = data.total;
const _errs4 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate54.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate54.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.limit !== undefined){
let data3 = data.limit;
const _errs6 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate54.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 100 || isNaN(data3)){
validate54.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100"}];
return false;
}
else {
if(data3 < 1 || isNaN(data3)){
validate54.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.offset !== undefined){
let data4 = data.offset;
const _errs8 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate54.errors = [{instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs8){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate54.errors = [{instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hasMore !== undefined){
const _errs10 = errors;
if(typeof data.hasMore !== "boolean"){
validate54.errors = [{instancePath:instancePath+"/hasMore",schemaPath:"#/properties/hasMore/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.unreadCount !== undefined){
let data6 = data.unreadCount;
const _errs12 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate54.errors = [{instancePath:instancePath+"/unreadCount",schemaPath:"#/properties/unreadCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs12){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
validate54.errors = [{instancePath:instancePath+"/unreadCount",schemaPath:"#/properties/unreadCount/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextCursor !== undefined){
let data7 = data.nextCursor;
const _errs14 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate54.errors = [{instancePath:instancePath+"/nextCursor",schemaPath:"#/properties/nextCursor/type",keyword:"type",params:{type: schema21.properties.nextCursor.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate54.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"props":{"items":true,"total":true,"limit":true,"offset":true,"hasMore":true,"unreadCount":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listNotifications_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate54(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"props":{"items":true,"total":true,"limit":true,"offset":true,"hasMore":true,"unreadCount":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

const check_listNotifications_400_application_json = validate64;
const schema26 = {"$id":"check_listNotifications_400_application_json","$ref":"document#/components/schemas/DbrError"};
const schema27 = {"type":"object","required":["code","message","details","hint"],"properties":{"code":{"$ref":"document#/components/schemas/DbrErrorCode"},"message":{"type":"string"},"details":{"anyOf":[{"type":["string","null"]},{"type":"array","items":{"$ref":"document#/components/schemas/RelationshipChoice"}}]},"hint":{"type":["string","null"]},"errors":{"type":"array","items":{"$ref":"document#/components/schemas/ValidationProblem"}}}};
const schema28 = {"type":"string","enum":["DBR000","DBR001","DBR002","DBR003","DBR100","DBR101","DBR102","DBR103","DBR105","DBR106","DBR107","DBR108","DBR109","DBR110","DBR111","DBR112","DBR114","DBR115","DBR116","DBR117","DBR118","DBR119","DBR120","DBR121","DBR122","DBR123","DBR124","DBR125","DBR130","DBR131","DBR132","DBR140","DBR141","DBR142","DBR143","DBR144","DBR145","DBR150","DBR151","DBR160","DBR161","DBR162","DBR163","DBR164","DBR165","DBR166","DBR167","DBR170","DBR171","DBR172","DBR173","DBR174","DBR175","DBR176","DBR177","DBR178","DBR179","DBR180","DBR181","DBR182","DBR185","DBR186","DBR187","DBR190","DBR191","DBR192","DBR193","DBR200","DBR201","DBR202","DBR203","DBR204","DBR205","DBR300","DBR301","DBR302","DBR303","DBR310","DBR400","DBR401","DBR402","DBR403","DBR404","DBR406","DBR407","DBR408","DBR409","DBR410","DBR411","DBR412","DBR413","DBR420","DBR421","DBR422","DBR430","DBR431","DBR432","DBR433","DBR500","DBR501","DBR502","DBR503","DBR504","DBR505","DBR506","DBR507","DBR508","DBR509","DBR510","DBR511","DBR512","DBR513","DBR514","DBR515","DBR516","DBR517","DBR518","DBR519","DBRX00","DBR520","DBR521"]};

function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate66.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate66.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((data === "DBR000") || (data === "DBR001")) || (data === "DBR002")) || (data === "DBR003")) || (data === "DBR100")) || (data === "DBR101")) || (data === "DBR102")) || (data === "DBR103")) || (data === "DBR105")) || (data === "DBR106")) || (data === "DBR107")) || (data === "DBR108")) || (data === "DBR109")) || (data === "DBR110")) || (data === "DBR111")) || (data === "DBR112")) || (data === "DBR114")) || (data === "DBR115")) || (data === "DBR116")) || (data === "DBR117")) || (data === "DBR118")) || (data === "DBR119")) || (data === "DBR120")) || (data === "DBR121")) || (data === "DBR122")) || (data === "DBR123")) || (data === "DBR124")) || (data === "DBR125")) || (data === "DBR130")) || (data === "DBR131")) || (data === "DBR132")) || (data === "DBR140")) || (data === "DBR141")) || (data === "DBR142")) || (data === "DBR143")) || (data === "DBR144")) || (data === "DBR145")) || (data === "DBR150")) || (data === "DBR151")) || (data === "DBR160")) || (data === "DBR161")) || (data === "DBR162")) || (data === "DBR163")) || (data === "DBR164")) || (data === "DBR165")) || (data === "DBR166")) || (data === "DBR167")) || (data === "DBR170")) || (data === "DBR171")) || (data === "DBR172")) || (data === "DBR173")) || (data === "DBR174")) || (data === "DBR175")) || (data === "DBR176")) || (data === "DBR177")) || (data === "DBR178")) || (data === "DBR179")) || (data === "DBR180")) || (data === "DBR181")) || (data === "DBR182")) || (data === "DBR185")) || (data === "DBR186")) || (data === "DBR187")) || (data === "DBR190")) || (data === "DBR191")) || (data === "DBR192")) || (data === "DBR193")) || (data === "DBR200")) || (data === "DBR201")) || (data === "DBR202")) || (data === "DBR203")) || (data === "DBR204")) || (data === "DBR205")) || (data === "DBR300")) || (data === "DBR301")) || (data === "DBR302")) || (data === "DBR303")) || (data === "DBR310")) || (data === "DBR400")) || (data === "DBR401")) || (data === "DBR402")) || (data === "DBR403")) || (data === "DBR404")) || (data === "DBR406")) || (data === "DBR407")) || (data === "DBR408")) || (data === "DBR409")) || (data === "DBR410")) || (data === "DBR411")) || (data === "DBR412")) || (data === "DBR413")) || (data === "DBR420")) || (data === "DBR421")) || (data === "DBR422")) || (data === "DBR430")) || (data === "DBR431")) || (data === "DBR432")) || (data === "DBR433")) || (data === "DBR500")) || (data === "DBR501")) || (data === "DBR502")) || (data === "DBR503")) || (data === "DBR504")) || (data === "DBR505")) || (data === "DBR506")) || (data === "DBR507")) || (data === "DBR508")) || (data === "DBR509")) || (data === "DBR510")) || (data === "DBR511")) || (data === "DBR512")) || (data === "DBR513")) || (data === "DBR514")) || (data === "DBR515")) || (data === "DBR516")) || (data === "DBR517")) || (data === "DBR518")) || (data === "DBR519")) || (data === "DBRX00")) || (data === "DBR520")) || (data === "DBR521"))){
validate66.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema28.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate66.errors = vErrors;
return errors === 0;
}
validate66.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema29 = {"type":"object","required":["cardinality","relationship","embedding"],"properties":{"cardinality":{"type":"string","enum":["many-to-one","one-to-one","one-to-many","many-to-many"]},"relationship":{"type":"string"},"embedding":{"type":"string"}}};

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate68.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.cardinality === undefined) && (missing0 = "cardinality")) || ((data.relationship === undefined) && (missing0 = "relationship"))) || ((data.embedding === undefined) && (missing0 = "embedding"))){
validate68.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.cardinality !== undefined){
let data0 = data.cardinality;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate68.errors = [{instancePath:instancePath+"/cardinality",schemaPath:"#/properties/cardinality/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data0 === "many-to-one") || (data0 === "one-to-one")) || (data0 === "one-to-many")) || (data0 === "many-to-many"))){
validate68.errors = [{instancePath:instancePath+"/cardinality",schemaPath:"#/properties/cardinality/enum",keyword:"enum",params:{allowedValues: schema29.properties.cardinality.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.relationship !== undefined){
const _errs3 = errors;
if(typeof data.relationship !== "string"){
validate68.errors = [{instancePath:instancePath+"/relationship",schemaPath:"#/properties/relationship/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.embedding !== undefined){
const _errs5 = errors;
if(typeof data.embedding !== "string"){
validate68.errors = [{instancePath:instancePath+"/embedding",schemaPath:"#/properties/embedding/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate68.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate68.errors = vErrors;
return errors === 0;
}
validate68.evaluated = {"props":{"cardinality":true,"relationship":true,"embedding":true},"dynamicProps":false,"dynamicItems":false};

const schema30 = {"type":"object","required":["path","code","message"],"properties":{"path":{"type":"string"},"code":{"type":"string"},"message":{"type":"string"}}};

function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate70.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.path === undefined) && (missing0 = "path")) || ((data.code === undefined) && (missing0 = "code"))) || ((data.message === undefined) && (missing0 = "message"))){
validate70.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.path !== undefined){
const _errs1 = errors;
if(typeof data.path !== "string"){
validate70.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.code !== undefined){
const _errs3 = errors;
if(typeof data.code !== "string"){
validate70.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs5 = errors;
if(typeof data.message !== "string"){
validate70.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate70.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate70.errors = vErrors;
return errors === 0;
}
validate70.evaluated = {"props":{"path":true,"code":true,"message":true},"dynamicProps":false,"dynamicItems":false};

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate65.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))) || ((data.hint === undefined) && (missing0 = "hint"))){
validate65.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(!(validate66(data.code, {instancePath:instancePath+"/code",parentData:data,parentDataProperty:"code",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs2 = errors;
if(typeof data.message !== "string"){
validate65.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data2 = data.details;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
const err0 = {instancePath:instancePath+"/details",schemaPath:"#/properties/details/anyOf/0/type",keyword:"type",params:{type: schema27.properties.details.anyOf[0].type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data2)){
var valid2 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(!(validate68(data2[i0], {instancePath:instancePath+"/details/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
}
else {
const err1 = {instancePath:instancePath+"/details",schemaPath:"#/properties/details/anyOf/1/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err2 = {instancePath:instancePath+"/details",schemaPath:"#/properties/details/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate65.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data4 = data.hint;
const _errs11 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate65.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema27.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data5 = data.errors;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data5)){
var valid3 = true;
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
const _errs15 = errors;
if(!(validate70(data5[i1], {instancePath:instancePath+"/errors/" + i1,parentData:data5,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var valid3 = _errs15 === errors;
if(!valid3){
break;
}
}
}
else {
validate65.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate65.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate65.errors = vErrors;
return errors === 0;
}
validate65.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true,"errors":true},"dynamicProps":false,"dynamicItems":false};

function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listNotifications_400_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate64.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate65(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
validate64.errors = vErrors;
return errors === 0;
}
validate64.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true,"errors":true},"dynamicProps":false,"dynamicItems":false};

const check_listNotifications_400_application_problem_json = validate73;
const schema31 = {"$id":"check_listNotifications_400_application_problem_json","$ref":"document#/components/schemas/Problem"};
const schema32 = {"type":"object","required":["type","title","status","detail","instance","code","message","details","hint"],"properties":{"type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"instance":{"type":"string"},"code":{"anyOf":[{"$ref":"document#/components/schemas/DbrErrorCode"},{"type":"string","pattern":"^[0-9A-Z]{5}$"}]},"message":{"type":"string"},"details":{"type":["string","null"]},"hint":{"type":["string","null"]},"errors":{"type":"array","items":{"$ref":"document#/components/schemas/ValidationProblem"}}}};
const pattern3 = new RegExp("^[0-9A-Z]{5}$", "u");

function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate74.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((data.type === undefined) && (missing0 = "type")) || ((data.title === undefined) && (missing0 = "title"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.detail === undefined) && (missing0 = "detail"))) || ((data.instance === undefined) && (missing0 = "instance"))) || ((data.code === undefined) && (missing0 = "code"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))) || ((data.hint === undefined) && (missing0 = "hint"))){
validate74.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.type !== undefined){
const _errs1 = errors;
if(typeof data.type !== "string"){
validate74.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
const _errs3 = errors;
if(typeof data.title !== "string"){
validate74.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data2 = data.status;
const _errs5 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate74.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.detail !== undefined){
const _errs7 = errors;
if(typeof data.detail !== "string"){
validate74.errors = [{instancePath:instancePath+"/detail",schemaPath:"#/properties/detail/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.instance !== undefined){
const _errs9 = errors;
if(typeof data.instance !== "string"){
validate74.errors = [{instancePath:instancePath+"/instance",schemaPath:"#/properties/instance/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.code !== undefined){
let data5 = data.code;
const _errs11 = errors;
const _errs12 = errors;
let valid1 = false;
const _errs13 = errors;
if(!(validate66(data5, {instancePath:instancePath+"/code",parentData:data,parentDataProperty:"code",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data5 === "string"){
if(!pattern3.test(data5)){
const err0 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/anyOf/1/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Z]{5}$"},message:"must match pattern \""+"^[0-9A-Z]{5}$"+"\""};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/anyOf/1/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs14 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err2 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate74.errors = vErrors;
return false;
}
else {
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs16 = errors;
if(typeof data.message !== "string"){
validate74.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data7 = data.details;
const _errs18 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate74.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: schema32.properties.details.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data8 = data.hint;
const _errs20 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate74.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema32.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data9 = data.errors;
const _errs22 = errors;
if(errors === _errs22){
if(Array.isArray(data9)){
var valid2 = true;
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
const _errs24 = errors;
if(!(validate70(data9[i0], {instancePath:instancePath+"/errors/" + i0,parentData:data9,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var valid2 = _errs24 === errors;
if(!valid2){
break;
}
}
}
else {
validate74.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate74.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate74.errors = vErrors;
return errors === 0;
}
validate74.evaluated = {"props":{"type":true,"title":true,"status":true,"detail":true,"instance":true,"code":true,"message":true,"details":true,"hint":true,"errors":true},"dynamicProps":false,"dynamicItems":false};

function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listNotifications_400_application_problem_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate73.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate74(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors);
errors = vErrors.length;
}
validate73.errors = vErrors;
return errors === 0;
}
validate73.evaluated = {"props":{"type":true,"title":true,"status":true,"detail":true,"instance":true,"code":true,"message":true,"details":true,"hint":true,"errors":true},"dynamicProps":false,"dynamicItems":false};

const check_listNotifications_503_application_json = validate78;
const schema33 = {"$id":"check_listNotifications_503_application_json","$ref":"document#/components/schemas/ServiceError"};
const schema34 = {"anyOf":[{"$ref":"document#/components/schemas/DbrError"},{"$ref":"document#/components/schemas/DatabaseError"}]};

function validate80(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate80.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))) || ((data.hint === undefined) && (missing0 = "hint"))){
validate80.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(!(validate66(data.code, {instancePath:instancePath+"/code",parentData:data,parentDataProperty:"code",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs2 = errors;
if(typeof data.message !== "string"){
validate80.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data2 = data.details;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
const err0 = {instancePath:instancePath+"/details",schemaPath:"#/properties/details/anyOf/0/type",keyword:"type",params:{type: schema27.properties.details.anyOf[0].type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data2)){
var valid2 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(!(validate68(data2[i0], {instancePath:instancePath+"/details/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
}
else {
const err1 = {instancePath:instancePath+"/details",schemaPath:"#/properties/details/anyOf/1/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err2 = {instancePath:instancePath+"/details",schemaPath:"#/properties/details/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate80.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data4 = data.hint;
const _errs11 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate80.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema27.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data5 = data.errors;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data5)){
var valid3 = true;
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
const _errs15 = errors;
if(!(validate70(data5[i1], {instancePath:instancePath+"/errors/" + i1,parentData:data5,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var valid3 = _errs15 === errors;
if(!valid3){
break;
}
}
}
else {
validate80.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate80.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate80.errors = vErrors;
return errors === 0;
}
validate80.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true,"errors":true},"dynamicProps":false,"dynamicItems":false};

const schema36 = {"type":"object","required":["code","message","details","hint"],"properties":{"code":{"type":"string"},"message":{"type":"string"},"details":{"type":["string","null"]},"hint":{"type":["string","null"]}}};

function validate85(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate85.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))) || ((data.hint === undefined) && (missing0 = "hint"))){
validate85.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(typeof data.code !== "string"){
validate85.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs3 = errors;
if(typeof data.message !== "string"){
validate85.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data2 = data.details;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate85.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: schema36.properties.details.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data3 = data.hint;
const _errs7 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate85.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema36.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate85.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate85.errors = vErrors;
return errors === 0;
}
validate85.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

function validate79(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate79.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(!(validate80(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate80.errors : vErrors.concat(validate80.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
var props0 = {};
props0.code = true;
props0.message = true;
props0.details = true;
props0.hint = true;
props0.errors = true;
}
const _errs2 = errors;
if(!(validate85(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = props0 || {};
props0.code = true;
props0.message = true;
props0.details = true;
props0.hint = true;
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate79.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate79.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate79.evaluated = {"dynamicProps":true,"dynamicItems":false};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listNotifications_503_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate78.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate79(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
else {
var props0 = validate79.evaluated.props;
}
validate78.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate78.evaluated = {"dynamicProps":true,"dynamicItems":false};

const check_getUnreadCount_200_application_json = validate88;
const schema37 = {"$id":"check_getUnreadCount_200_application_json","$ref":"document#/components/schemas/UnreadCount"};
const schema38 = {"type":"object","required":["count"],"properties":{"count":{"type":"integer","minimum":0}}};

function validate89(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate89.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.count === undefined) && (missing0 = "count")){
validate89.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.count !== undefined){
let data0 = data.count;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate89.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate89.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
}
}
else {
validate89.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate89.errors = vErrors;
return errors === 0;
}
validate89.evaluated = {"props":{"count":true},"dynamicProps":false,"dynamicItems":false};

function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getUnreadCount_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate88.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate89(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate89.errors : vErrors.concat(validate89.errors);
errors = vErrors.length;
}
validate88.errors = vErrors;
return errors === 0;
}
validate88.evaluated = {"props":{"count":true},"dynamicProps":false,"dynamicItems":false};

const check_markNotificationsRead_200_application_json = validate91;
const schema39 = {"$id":"check_markNotificationsRead_200_application_json","$ref":"document#/components/schemas/Acknowledgement"};
const schema40 = {"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean","const":true}}};

function validate92(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate92.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.ok === undefined) && (missing0 = "ok")){
validate92.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.ok !== undefined){
let data0 = data.ok;
if(typeof data0 !== "boolean"){
validate92.errors = [{instancePath:instancePath+"/ok",schemaPath:"#/properties/ok/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
if(true !== data0){
validate92.errors = [{instancePath:instancePath+"/ok",schemaPath:"#/properties/ok/const",keyword:"const",params:{allowedValue: true},message:"must be equal to constant"}];
return false;
}
}
}
}
else {
validate92.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate92.errors = vErrors;
return errors === 0;
}
validate92.evaluated = {"props":{"ok":true},"dynamicProps":false,"dynamicItems":false};

function validate91(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_markNotificationsRead_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate91.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate92(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate92.errors : vErrors.concat(validate92.errors);
errors = vErrors.length;
}
validate91.errors = vErrors;
return errors === 0;
}
validate91.evaluated = {"props":{"ok":true},"dynamicProps":false,"dynamicItems":false};

const check_getNotificationPreferences_200_application_json = validate94;
const schema41 = {"$id":"check_getNotificationPreferences_200_application_json","$ref":"document#/components/schemas/NotificationPreferences"};
const schema42 = {"type":"object","additionalProperties":false,"required":["categories"],"properties":{"categories":{"type":"object","maxProperties":200,"propertyNames":{"type":"string","minLength":1,"maxLength":100},"additionalProperties":{"$ref":"document#/components/schemas/CategoryPreference"}}}};
const schema43 = {"type":"object","additionalProperties":false,"required":["inApp"],"properties":{"inApp":{"type":"boolean"}}};

function validate96(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate96.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.inApp === undefined) && (missing0 = "inApp")){
validate96.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "inApp")){
validate96.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.inApp !== undefined){
if(typeof data.inApp !== "boolean"){
validate96.errors = [{instancePath:instancePath+"/inApp",schemaPath:"#/properties/inApp/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
}
}
else {
validate96.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate96.errors = vErrors;
return errors === 0;
}
validate96.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate95(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate95.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.categories === undefined) && (missing0 = "categories")){
validate95.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "categories")){
validate95.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.categories !== undefined){
let data0 = data.categories;
const _errs2 = errors;
if(errors === _errs2){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(Object.keys(data0).length > 200){
validate95.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/maxProperties",keyword:"maxProperties",params:{limit: 200},message:"must NOT have more than 200 properties"}];
return false;
}
else {
for(const key1 in data0){
const _errs4 = errors;
if(errors === _errs4){
if(typeof key1 === "string"){
if(func1(key1) > 100){
const err0 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters",propertyName:key1};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(func1(key1) < 1){
const err1 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",propertyName:key1};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var valid1 = _errs4 === errors;
if(!valid1){
const err3 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate95.errors = vErrors;
return false;
break;
}
}
if(valid1){
for(const key2 in data0){
const _errs7 = errors;
if(!(validate96(data0[key2], {instancePath:instancePath+"/categories/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data0,parentDataProperty:key2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate96.errors : vErrors.concat(validate96.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate95.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
}
}
}
}
else {
validate95.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate95.errors = vErrors;
return errors === 0;
}
validate95.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate94(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getNotificationPreferences_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate94.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate95(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate95.errors : vErrors.concat(validate95.errors);
errors = vErrors.length;
}
validate94.errors = vErrors;
return errors === 0;
}
validate94.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_createStreamTicket_200_application_json = validate99;
const schema44 = {"$id":"check_createStreamTicket_200_application_json","$ref":"document#/components/schemas/StreamTicket"};
const schema45 = {"type":"object","required":["ticket","expiresAt"],"properties":{"ticket":{"type":"string"},"expiresAt":{"type":"string","format":"date-time"}}};

function validate100(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate100.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.ticket === undefined) && (missing0 = "ticket")) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))){
validate100.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.ticket !== undefined){
const _errs1 = errors;
if(typeof data.ticket !== "string"){
validate100.errors = [{instancePath:instancePath+"/ticket",schemaPath:"#/properties/ticket/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data1 = data.expiresAt;
const _errs3 = errors;
if(errors === _errs3){
if(errors === _errs3){
if(typeof data1 === "string"){
if(!(formats0.validate(data1))){
validate100.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate100.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate100.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate100.errors = vErrors;
return errors === 0;
}
validate100.evaluated = {"props":{"ticket":true,"expiresAt":true},"dynamicProps":false,"dynamicItems":false};

function validate99(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createStreamTicket_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate99.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate100(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate100.errors : vErrors.concat(validate100.errors);
errors = vErrors.length;
}
validate99.errors = vErrors;
return errors === 0;
}
validate99.evaluated = {"props":{"ticket":true,"expiresAt":true},"dynamicProps":false,"dynamicItems":false};

const check_getNotification_200_application_json = validate102;
const schema46 = {"$id":"check_getNotification_200_application_json","$ref":"document#/components/schemas/Notification"};

function validate103(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate103.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((((((((data.notificationId === undefined) && (missing0 = "notificationId")) || ((data.tenantId === undefined) && (missing0 = "tenantId"))) || ((data.userId === undefined) && (missing0 = "userId"))) || ((data.audience === undefined) && (missing0 = "audience"))) || ((data.type === undefined) && (missing0 = "type"))) || ((data.category === undefined) && (missing0 = "category"))) || ((data.severity === undefined) && (missing0 = "severity"))) || ((data.title === undefined) && (missing0 = "title"))) || ((data.body === undefined) && (missing0 = "body"))) || ((data.data === undefined) && (missing0 = "data"))) || ((data.actor === undefined) && (missing0 = "actor"))) || ((data.actionUrl === undefined) && (missing0 = "actionUrl"))) || ((data.groupKey === undefined) && (missing0 = "groupKey"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))) || ((data.seenAt === undefined) && (missing0 = "seenAt"))) || ((data.readAt === undefined) && (missing0 = "readAt"))) || ((data.archivedAt === undefined) && (missing0 = "archivedAt"))) || ((data.isRead === undefined) && (missing0 = "isRead"))){
validate103.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.notificationId !== undefined){
const _errs1 = errors;
if(typeof data.notificationId !== "string"){
validate103.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
const _errs3 = errors;
if(typeof data.tenantId !== "string"){
validate103.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.userId !== undefined){
let data2 = data.userId;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate103.errors = [{instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: schema22.properties.userId.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.audience !== undefined){
const _errs7 = errors;
if(!(validate56(data.audience, {instancePath:instancePath+"/audience",parentData:data,parentDataProperty:"audience",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs8 = errors;
if(typeof data.type !== "string"){
validate103.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.category !== undefined){
const _errs10 = errors;
if(typeof data.category !== "string"){
validate103.errors = [{instancePath:instancePath+"/category",schemaPath:"#/properties/category/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.severity !== undefined){
const _errs12 = errors;
if(!(validate58(data.severity, {instancePath:instancePath+"/severity",parentData:data,parentDataProperty:"severity",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
const _errs13 = errors;
if(typeof data.title !== "string"){
validate103.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.body !== undefined){
let data8 = data.body;
const _errs15 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate103.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/type",keyword:"type",params:{type: schema22.properties.body.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data9 = data.data;
const _errs17 = errors;
if(errors === _errs17){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
}
else {
validate103.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actor !== undefined){
let data10 = data.actor;
const _errs20 = errors;
const _errs21 = errors;
let valid1 = false;
const _errs22 = errors;
if(!(validate60(data10, {instancePath:instancePath+"/actor",parentData:data,parentDataProperty:"actor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var _valid0 = _errs22 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var props0 = {};
props0.type = true;
props0.id = true;
props0.name = true;
}
const _errs23 = errors;
if(data10 !== null){
const err0 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs23 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate103.errors = vErrors;
return false;
}
else {
errors = _errs21;
if(vErrors !== null){
if(_errs21){
vErrors.length = _errs21;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.actionUrl !== undefined){
let data11 = data.actionUrl;
const _errs25 = errors;
if((typeof data11 !== "string") && (data11 !== null)){
validate103.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/type",keyword:"type",params:{type: schema22.properties.actionUrl.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.groupKey !== undefined){
let data12 = data.groupKey;
const _errs27 = errors;
if((typeof data12 !== "string") && (data12 !== null)){
validate103.errors = [{instancePath:instancePath+"/groupKey",schemaPath:"#/properties/groupKey/type",keyword:"type",params:{type: schema22.properties.groupKey.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data13 = data.createdAt;
const _errs29 = errors;
if(errors === _errs29){
if(errors === _errs29){
if(typeof data13 === "string"){
if(!(formats0.validate(data13))){
validate103.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate103.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data14 = data.expiresAt;
const _errs31 = errors;
if((typeof data14 !== "string") && (data14 !== null)){
validate103.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: schema22.properties.expiresAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs31){
if(errors === _errs31){
if(typeof data14 === "string"){
if(!(formats0.validate(data14))){
validate103.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seenAt !== undefined){
let data15 = data.seenAt;
const _errs33 = errors;
if((typeof data15 !== "string") && (data15 !== null)){
validate103.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/type",keyword:"type",params:{type: schema22.properties.seenAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs33){
if(errors === _errs33){
if(typeof data15 === "string"){
if(!(formats0.validate(data15))){
validate103.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.readAt !== undefined){
let data16 = data.readAt;
const _errs35 = errors;
if((typeof data16 !== "string") && (data16 !== null)){
validate103.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/type",keyword:"type",params:{type: schema22.properties.readAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs35){
if(errors === _errs35){
if(typeof data16 === "string"){
if(!(formats0.validate(data16))){
validate103.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.archivedAt !== undefined){
let data17 = data.archivedAt;
const _errs37 = errors;
if((typeof data17 !== "string") && (data17 !== null)){
validate103.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/type",keyword:"type",params:{type: schema22.properties.archivedAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs37){
if(errors === _errs37){
if(typeof data17 === "string"){
if(!(formats0.validate(data17))){
validate103.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs37 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isRead !== undefined){
const _errs39 = errors;
if(typeof data.isRead !== "boolean"){
validate103.errors = [{instancePath:instancePath+"/isRead",schemaPath:"#/properties/isRead/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate103.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate103.errors = vErrors;
return errors === 0;
}
validate103.evaluated = {"props":{"notificationId":true,"tenantId":true,"userId":true,"audience":true,"type":true,"category":true,"severity":true,"title":true,"body":true,"data":true,"actor":true,"actionUrl":true,"groupKey":true,"createdAt":true,"expiresAt":true,"seenAt":true,"readAt":true,"archivedAt":true,"isRead":true},"dynamicProps":false,"dynamicItems":false};

function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getNotification_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate102.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate103(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
errors = vErrors.length;
}
validate102.errors = vErrors;
return errors === 0;
}
validate102.evaluated = {"props":{"notificationId":true,"tenantId":true,"userId":true,"audience":true,"type":true,"category":true,"severity":true,"title":true,"body":true,"data":true,"actor":true,"actionUrl":true,"groupKey":true,"createdAt":true,"expiresAt":true,"seenAt":true,"readAt":true,"archivedAt":true,"isRead":true},"dynamicProps":false,"dynamicItems":false};

const check_createNotifications_200_application_json = validate108;
const schema48 = {"$id":"check_createNotifications_200_application_json","$ref":"document#/components/schemas/ProducedNotifications"};
const schema49 = {"type":"object","required":["created","duplicates","suppressed"],"properties":{"created":{"type":"integer","minimum":0},"duplicates":{"type":"integer","minimum":0},"suppressed":{"type":"integer","minimum":0}}};

function validate109(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate109.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.created === undefined) && (missing0 = "created")) || ((data.duplicates === undefined) && (missing0 = "duplicates"))) || ((data.suppressed === undefined) && (missing0 = "suppressed"))){
validate109.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.created !== undefined){
let data0 = data.created;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate109.errors = [{instancePath:instancePath+"/created",schemaPath:"#/properties/created/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate109.errors = [{instancePath:instancePath+"/created",schemaPath:"#/properties/created/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.duplicates !== undefined){
let data1 = data.duplicates;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate109.errors = [{instancePath:instancePath+"/duplicates",schemaPath:"#/properties/duplicates/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate109.errors = [{instancePath:instancePath+"/duplicates",schemaPath:"#/properties/duplicates/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suppressed !== undefined){
let data2 = data.suppressed;
const _errs5 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate109.errors = [{instancePath:instancePath+"/suppressed",schemaPath:"#/properties/suppressed/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate109.errors = [{instancePath:instancePath+"/suppressed",schemaPath:"#/properties/suppressed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate109.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate109.errors = vErrors;
return errors === 0;
}
validate109.evaluated = {"props":{"created":true,"duplicates":true,"suppressed":true},"dynamicProps":false,"dynamicItems":false};

function validate108(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createNotifications_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate108.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate109(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate109.errors : vErrors.concat(validate109.errors);
errors = vErrors.length;
}
validate108.errors = vErrors;
return errors === 0;
}
validate108.evaluated = {"props":{"created":true,"duplicates":true,"suppressed":true},"dynamicProps":false,"dynamicItems":false};

const check_getSigningConfig_200_application_json = validate111;
const schema50 = {"$id":"check_getSigningConfig_200_application_json","$ref":"document#/components/schemas/SigningConfig"};
const schema51 = {"type":"object","required":["accountId","configured","signingParties","effectiveParties","threshold","ready","problems","version","updatedAt","updatedBy"],"properties":{"accountId":{"type":"string"},"configured":{"type":"boolean"},"signingParties":{"anyOf":[{"$ref":"document#/components/schemas/SigningParties"},{"type":"null"}]},"effectiveParties":{"type":"array","items":{"$ref":"document#/components/schemas/EffectiveParty"}},"threshold":{"type":"integer","minimum":1},"ready":{"type":"boolean"},"problems":{"type":"array","items":{"$ref":"document#/components/schemas/SigningConfigProblem"}},"version":{"type":"integer","minimum":0},"updatedAt":{"type":["string","null"],"format":"date-time"},"updatedBy":{"type":["string","null"]}}};
const schema52 = {"type":"array","items":{"type":"string"}};

function validate113(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate113.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(typeof data[i0] !== "string"){
validate113.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate113.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate113.errors = vErrors;
return errors === 0;
}
validate113.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const schema53 = {"type":"object","required":["partyId","shareIndex","shareType","status","online"],"properties":{"partyId":{"$ref":"document#/components/schemas/PartyId"},"shareIndex":{"type":"integer","minimum":1},"shareType":{"$ref":"document#/components/schemas/ShareType"},"status":{"$ref":"document#/components/schemas/PartyStatus"},"online":{"type":"boolean"}}};
const schema54 = {"type":"string","pattern":"^[a-z0-9][a-z0-9._-]{0,62}$"};
const pattern4 = new RegExp("^[a-z0-9][a-z0-9._-]{0,62}$", "u");

function validate116(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate116.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern4.test(data)){
validate116.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]{0,62}$"},message:"must match pattern \""+"^[a-z0-9][a-z0-9._-]{0,62}$"+"\""}];
return false;
}
}
else {
validate116.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate116.errors = vErrors;
return errors === 0;
}
validate116.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema55 = {"type":"string","enum":["server","user","backup","delegate"]};

function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate118.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate118.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "server") || (data === "user")) || (data === "backup")) || (data === "delegate"))){
validate118.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema55.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate118.errors = vErrors;
return errors === 0;
}
validate118.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema56 = {"type":"string","enum":["active","suspended","revoked"]};

function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate120.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate120.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "active") || (data === "suspended")) || (data === "revoked"))){
validate120.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema56.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate120.errors = vErrors;
return errors === 0;
}
validate120.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate115(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate115.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.partyId === undefined) && (missing0 = "partyId")) || ((data.shareIndex === undefined) && (missing0 = "shareIndex"))) || ((data.shareType === undefined) && (missing0 = "shareType"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.online === undefined) && (missing0 = "online"))){
validate115.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.partyId !== undefined){
const _errs1 = errors;
if(!(validate116(data.partyId, {instancePath:instancePath+"/partyId",parentData:data,parentDataProperty:"partyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareIndex !== undefined){
let data1 = data.shareIndex;
const _errs2 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate115.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
validate115.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareType !== undefined){
const _errs4 = errors;
if(!(validate118(data.shareType, {instancePath:instancePath+"/shareType",parentData:data,parentDataProperty:"shareType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs5 = errors;
if(!(validate120(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.online !== undefined){
const _errs6 = errors;
if(typeof data.online !== "boolean"){
validate115.errors = [{instancePath:instancePath+"/online",schemaPath:"#/properties/online/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate115.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate115.errors = vErrors;
return errors === 0;
}
validate115.evaluated = {"props":{"partyId":true,"shareIndex":true,"shareType":true,"status":true,"online":true},"dynamicProps":false,"dynamicItems":false};

const schema57 = {"type":"object","required":["code","partyId","message"],"properties":{"code":{"type":"string","enum":["party_not_active","party_has_no_share","below_threshold","account_not_active"]},"partyId":{"type":["string","null"]},"message":{"type":"string"}}};

function validate123(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate123.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.code === undefined) && (missing0 = "code")) || ((data.partyId === undefined) && (missing0 = "partyId"))) || ((data.message === undefined) && (missing0 = "message"))){
validate123.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
let data0 = data.code;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate123.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data0 === "party_not_active") || (data0 === "party_has_no_share")) || (data0 === "below_threshold")) || (data0 === "account_not_active"))){
validate123.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/enum",keyword:"enum",params:{allowedValues: schema57.properties.code.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partyId !== undefined){
let data1 = data.partyId;
const _errs3 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate123.errors = [{instancePath:instancePath+"/partyId",schemaPath:"#/properties/partyId/type",keyword:"type",params:{type: schema57.properties.partyId.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs5 = errors;
if(typeof data.message !== "string"){
validate123.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate123.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate123.errors = vErrors;
return errors === 0;
}
validate123.evaluated = {"props":{"code":true,"partyId":true,"message":true},"dynamicProps":false,"dynamicItems":false};

function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate112.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((data.accountId === undefined) && (missing0 = "accountId")) || ((data.configured === undefined) && (missing0 = "configured"))) || ((data.signingParties === undefined) && (missing0 = "signingParties"))) || ((data.effectiveParties === undefined) && (missing0 = "effectiveParties"))) || ((data.threshold === undefined) && (missing0 = "threshold"))) || ((data.ready === undefined) && (missing0 = "ready"))) || ((data.problems === undefined) && (missing0 = "problems"))) || ((data.version === undefined) && (missing0 = "version"))) || ((data.updatedAt === undefined) && (missing0 = "updatedAt"))) || ((data.updatedBy === undefined) && (missing0 = "updatedBy"))){
validate112.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.accountId !== undefined){
const _errs1 = errors;
if(typeof data.accountId !== "string"){
validate112.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.configured !== undefined){
const _errs3 = errors;
if(typeof data.configured !== "boolean"){
validate112.errors = [{instancePath:instancePath+"/configured",schemaPath:"#/properties/configured/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signingParties !== undefined){
let data2 = data.signingParties;
const _errs5 = errors;
const _errs6 = errors;
let valid1 = false;
const _errs7 = errors;
if(!(validate113(data2, {instancePath:instancePath+"/signingParties",parentData:data,parentDataProperty:"signingParties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(data2 !== null){
const err0 = {instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate112.errors = vErrors;
return false;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.effectiveParties !== undefined){
let data3 = data.effectiveParties;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data3)){
var valid2 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs12 = errors;
if(!(validate115(data3[i0], {instancePath:instancePath+"/effectiveParties/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate115.errors : vErrors.concat(validate115.errors);
errors = vErrors.length;
}
var valid2 = _errs12 === errors;
if(!valid2){
break;
}
}
}
else {
validate112.errors = [{instancePath:instancePath+"/effectiveParties",schemaPath:"#/properties/effectiveParties/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
let data5 = data.threshold;
const _errs13 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate112.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs13){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 1 || isNaN(data5)){
validate112.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ready !== undefined){
const _errs15 = errors;
if(typeof data.ready !== "boolean"){
validate112.errors = [{instancePath:instancePath+"/ready",schemaPath:"#/properties/ready/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.problems !== undefined){
let data7 = data.problems;
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data7)){
var valid3 = true;
const len1 = data7.length;
for(let i1=0; i1<len1; i1++){
const _errs19 = errors;
if(!(validate123(data7[i1], {instancePath:instancePath+"/problems/" + i1,parentData:data7,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate123.errors : vErrors.concat(validate123.errors);
errors = vErrors.length;
}
var valid3 = _errs19 === errors;
if(!valid3){
break;
}
}
}
else {
validate112.errors = [{instancePath:instancePath+"/problems",schemaPath:"#/properties/problems/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data9 = data.version;
const _errs20 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate112.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs20){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 0 || isNaN(data9)){
validate112.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedAt !== undefined){
let data10 = data.updatedAt;
const _errs22 = errors;
if((typeof data10 !== "string") && (data10 !== null)){
validate112.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/type",keyword:"type",params:{type: schema51.properties.updatedAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs22){
if(errors === _errs22){
if(typeof data10 === "string"){
if(!(formats0.validate(data10))){
validate112.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedBy !== undefined){
let data11 = data.updatedBy;
const _errs24 = errors;
if((typeof data11 !== "string") && (data11 !== null)){
validate112.errors = [{instancePath:instancePath+"/updatedBy",schemaPath:"#/properties/updatedBy/type",keyword:"type",params:{type: schema51.properties.updatedBy.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate112.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate112.errors = vErrors;
return errors === 0;
}
validate112.evaluated = {"props":{"accountId":true,"configured":true,"signingParties":true,"effectiveParties":true,"threshold":true,"ready":true,"problems":true,"version":true,"updatedAt":true,"updatedBy":true},"dynamicProps":false,"dynamicItems":false};

function validate111(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getSigningConfig_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate111.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate112(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors);
errors = vErrors.length;
}
validate111.errors = vErrors;
return errors === 0;
}
validate111.evaluated = {"props":{"accountId":true,"configured":true,"signingParties":true,"effectiveParties":true,"threshold":true,"ready":true,"problems":true,"version":true,"updatedAt":true,"updatedBy":true},"dynamicProps":false,"dynamicItems":false};

const check_createSigningSession_200_application_json = validate126;
const schema58 = {"$id":"check_createSigningSession_200_application_json","$ref":"document#/components/schemas/SigningSession"};
const schema59 = {"type":"object","required":["sessionId","tenantId","accountId","createdBy","state","stateVersion","partySource","threshold","participants","protocol","messageDigest","derivationPath","publicKey","delegateUserShare","signature","failureReason","failureDetail","culpritPartyIds","metadata","createdAt","readyBy","expiresAt","endedAt"],"properties":{"sessionId":{"type":"string"},"tenantId":{"type":"string"},"accountId":{"type":"string"},"createdBy":{"type":"string"},"state":{"$ref":"document#/components/schemas/SigningSessionState"},"stateVersion":{"type":"integer","minimum":1},"partySource":{"type":"string","enum":["configured","all_active"]},"threshold":{"type":"integer","minimum":1},"participants":{"type":"array","items":{"$ref":"document#/components/schemas/SigningParticipant"}},"protocol":{"$ref":"document#/components/schemas/SigningProtocol"},"messageDigest":{"$ref":"document#/components/schemas/Sha256"},"derivationPath":{"type":"array","items":{"type":"integer","minimum":0}},"publicKey":{"type":["string","null"]},"delegateUserShare":{"anyOf":[{"$ref":"document#/components/schemas/DelegateUserShareReceipt"},{"type":"null"}]},"signature":{"type":["string","null"]},"failureReason":{"anyOf":[{"$ref":"document#/components/schemas/SigningFailureReason"},{"type":"null"}]},"failureDetail":{"type":["string","null"]},"culpritPartyIds":{"type":"array","items":{"$ref":"document#/components/schemas/PartyId"}},"metadata":{"type":"object","additionalProperties":true},"createdAt":{"type":"string","format":"date-time"},"readyBy":{"type":"string","format":"date-time"},"expiresAt":{"type":"string","format":"date-time"},"endedAt":{"type":["string","null"],"format":"date-time"}}};
const schema60 = {"type":"string","enum":["created","awaiting_parties","in_progress","completed","failed","expired","cancelled"]};

function validate128(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate128.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate128.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data === "created") || (data === "awaiting_parties")) || (data === "in_progress")) || (data === "completed")) || (data === "failed")) || (data === "expired")) || (data === "cancelled"))){
validate128.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema60.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate128.errors = vErrors;
return errors === 0;
}
validate128.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema61 = {"type":"object","required":["partyId","shareIndex","shareType","joinedAt"],"properties":{"partyId":{"$ref":"document#/components/schemas/PartyId"},"shareIndex":{"type":"integer","minimum":1},"shareType":{"$ref":"document#/components/schemas/ShareType"},"joinedAt":{"type":["string","null"],"format":"date-time"}}};

function validate130(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate130.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.partyId === undefined) && (missing0 = "partyId")) || ((data.shareIndex === undefined) && (missing0 = "shareIndex"))) || ((data.shareType === undefined) && (missing0 = "shareType"))) || ((data.joinedAt === undefined) && (missing0 = "joinedAt"))){
validate130.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.partyId !== undefined){
const _errs1 = errors;
if(!(validate116(data.partyId, {instancePath:instancePath+"/partyId",parentData:data,parentDataProperty:"partyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareIndex !== undefined){
let data1 = data.shareIndex;
const _errs2 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate130.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
validate130.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareType !== undefined){
const _errs4 = errors;
if(!(validate118(data.shareType, {instancePath:instancePath+"/shareType",parentData:data,parentDataProperty:"shareType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.joinedAt !== undefined){
let data3 = data.joinedAt;
const _errs5 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate130.errors = [{instancePath:instancePath+"/joinedAt",schemaPath:"#/properties/joinedAt/type",keyword:"type",params:{type: schema61.properties.joinedAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs5){
if(errors === _errs5){
if(typeof data3 === "string"){
if(!(formats0.validate(data3))){
validate130.errors = [{instancePath:instancePath+"/joinedAt",schemaPath:"#/properties/joinedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate130.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate130.errors = vErrors;
return errors === 0;
}
validate130.evaluated = {"props":{"partyId":true,"shareIndex":true,"shareType":true,"joinedAt":true},"dynamicProps":false,"dynamicItems":false};

const schema62 = {"type":"string","enum":["ed25519","ecdsa-secp256k1","bip340","ecdsa-p256"]};

function validate134(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate134.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate134.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "ed25519") || (data === "ecdsa-secp256k1")) || (data === "bip340")) || (data === "ecdsa-p256"))){
validate134.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema62.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate134.errors = vErrors;
return errors === 0;
}
validate134.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema63 = {"type":"string","pattern":"^[0-9a-f]{64}$"};
const pattern5 = new RegExp("^[0-9a-f]{64}$", "u");

function validate136(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate136.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern5.test(data)){
validate136.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate136.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate136.errors = vErrors;
return errors === 0;
}
validate136.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema64 = {"type":"object","required":["delegatePartyId","recipientKeyId","suite","ciphertextSha256","suppliedAt"],"additionalProperties":false,"properties":{"delegatePartyId":{"$ref":"document#/components/schemas/PartyId"},"recipientKeyId":{"type":"string"},"suite":{"$ref":"document#/components/schemas/EncryptionSuite"},"ciphertextSha256":{"$ref":"document#/components/schemas/Sha256"},"suppliedAt":{"type":"string","format":"date-time"}}};
const schema65 = {"type":"string","enum":["HPKE-X25519-SHA256-AES256GCM","RSA-OAEP-SHA256-AES256GCM"]};

function validate140(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate140.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate140.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data === "HPKE-X25519-SHA256-AES256GCM") || (data === "RSA-OAEP-SHA256-AES256GCM"))){
validate140.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema65.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate140.errors = vErrors;
return errors === 0;
}
validate140.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate138(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate138.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.delegatePartyId === undefined) && (missing0 = "delegatePartyId")) || ((data.recipientKeyId === undefined) && (missing0 = "recipientKeyId"))) || ((data.suite === undefined) && (missing0 = "suite"))) || ((data.ciphertextSha256 === undefined) && (missing0 = "ciphertextSha256"))) || ((data.suppliedAt === undefined) && (missing0 = "suppliedAt"))){
validate138.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "delegatePartyId") || (key0 === "recipientKeyId")) || (key0 === "suite")) || (key0 === "ciphertextSha256")) || (key0 === "suppliedAt"))){
validate138.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.delegatePartyId !== undefined){
const _errs2 = errors;
if(!(validate116(data.delegatePartyId, {instancePath:instancePath+"/delegatePartyId",parentData:data,parentDataProperty:"delegatePartyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.recipientKeyId !== undefined){
const _errs3 = errors;
if(typeof data.recipientKeyId !== "string"){
validate138.errors = [{instancePath:instancePath+"/recipientKeyId",schemaPath:"#/properties/recipientKeyId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suite !== undefined){
const _errs5 = errors;
if(!(validate140(data.suite, {instancePath:instancePath+"/suite",parentData:data,parentDataProperty:"suite",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ciphertextSha256 !== undefined){
const _errs6 = errors;
if(!(validate136(data.ciphertextSha256, {instancePath:instancePath+"/ciphertextSha256",parentData:data,parentDataProperty:"ciphertextSha256",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suppliedAt !== undefined){
let data4 = data.suppliedAt;
const _errs7 = errors;
if(errors === _errs7){
if(errors === _errs7){
if(typeof data4 === "string"){
if(!(formats0.validate(data4))){
validate138.errors = [{instancePath:instancePath+"/suppliedAt",schemaPath:"#/properties/suppliedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate138.errors = [{instancePath:instancePath+"/suppliedAt",schemaPath:"#/properties/suppliedAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate138.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate138.errors = vErrors;
return errors === 0;
}
validate138.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema66 = {"type":"string","enum":["party_aborted","party_timeout","invalid_signature","share_unusable","equivocation","policy_denied","internal"]};

function validate144(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate144.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate144.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data === "party_aborted") || (data === "party_timeout")) || (data === "invalid_signature")) || (data === "share_unusable")) || (data === "equivocation")) || (data === "policy_denied")) || (data === "internal"))){
validate144.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema66.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate144.errors = vErrors;
return errors === 0;
}
validate144.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate127(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate127.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((((((((((((data.sessionId === undefined) && (missing0 = "sessionId")) || ((data.tenantId === undefined) && (missing0 = "tenantId"))) || ((data.accountId === undefined) && (missing0 = "accountId"))) || ((data.createdBy === undefined) && (missing0 = "createdBy"))) || ((data.state === undefined) && (missing0 = "state"))) || ((data.stateVersion === undefined) && (missing0 = "stateVersion"))) || ((data.partySource === undefined) && (missing0 = "partySource"))) || ((data.threshold === undefined) && (missing0 = "threshold"))) || ((data.participants === undefined) && (missing0 = "participants"))) || ((data.protocol === undefined) && (missing0 = "protocol"))) || ((data.messageDigest === undefined) && (missing0 = "messageDigest"))) || ((data.derivationPath === undefined) && (missing0 = "derivationPath"))) || ((data.publicKey === undefined) && (missing0 = "publicKey"))) || ((data.delegateUserShare === undefined) && (missing0 = "delegateUserShare"))) || ((data.signature === undefined) && (missing0 = "signature"))) || ((data.failureReason === undefined) && (missing0 = "failureReason"))) || ((data.failureDetail === undefined) && (missing0 = "failureDetail"))) || ((data.culpritPartyIds === undefined) && (missing0 = "culpritPartyIds"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.readyBy === undefined) && (missing0 = "readyBy"))) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))) || ((data.endedAt === undefined) && (missing0 = "endedAt"))){
validate127.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.sessionId !== undefined){
const _errs1 = errors;
if(typeof data.sessionId !== "string"){
validate127.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
const _errs3 = errors;
if(typeof data.tenantId !== "string"){
validate127.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
const _errs5 = errors;
if(typeof data.accountId !== "string"){
validate127.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
const _errs7 = errors;
if(typeof data.createdBy !== "string"){
validate127.errors = [{instancePath:instancePath+"/createdBy",schemaPath:"#/properties/createdBy/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state !== undefined){
const _errs9 = errors;
if(!(validate128(data.state, {instancePath:instancePath+"/state",parentData:data,parentDataProperty:"state",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate128.errors : vErrors.concat(validate128.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stateVersion !== undefined){
let data5 = data.stateVersion;
const _errs10 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate127.errors = [{instancePath:instancePath+"/stateVersion",schemaPath:"#/properties/stateVersion/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 1 || isNaN(data5)){
validate127.errors = [{instancePath:instancePath+"/stateVersion",schemaPath:"#/properties/stateVersion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partySource !== undefined){
let data6 = data.partySource;
const _errs12 = errors;
if(typeof data6 !== "string"){
validate127.errors = [{instancePath:instancePath+"/partySource",schemaPath:"#/properties/partySource/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data6 === "configured") || (data6 === "all_active"))){
validate127.errors = [{instancePath:instancePath+"/partySource",schemaPath:"#/properties/partySource/enum",keyword:"enum",params:{allowedValues: schema59.properties.partySource.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
let data7 = data.threshold;
const _errs14 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate127.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs14){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 1 || isNaN(data7)){
validate127.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.participants !== undefined){
let data8 = data.participants;
const _errs16 = errors;
if(errors === _errs16){
if(Array.isArray(data8)){
var valid1 = true;
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
const _errs18 = errors;
if(!(validate130(data8[i0], {instancePath:instancePath+"/participants/" + i0,parentData:data8,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors);
errors = vErrors.length;
}
var valid1 = _errs18 === errors;
if(!valid1){
break;
}
}
}
else {
validate127.errors = [{instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.protocol !== undefined){
const _errs19 = errors;
if(!(validate134(data.protocol, {instancePath:instancePath+"/protocol",parentData:data,parentDataProperty:"protocol",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate134.errors : vErrors.concat(validate134.errors);
errors = vErrors.length;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messageDigest !== undefined){
const _errs20 = errors;
if(!(validate136(data.messageDigest, {instancePath:instancePath+"/messageDigest",parentData:data,parentDataProperty:"messageDigest",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.derivationPath !== undefined){
let data12 = data.derivationPath;
const _errs21 = errors;
if(errors === _errs21){
if(Array.isArray(data12)){
var valid2 = true;
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
let data13 = data12[i1];
const _errs23 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate127.errors = [{instancePath:instancePath+"/derivationPath/" + i1,schemaPath:"#/properties/derivationPath/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs23){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
validate127.errors = [{instancePath:instancePath+"/derivationPath/" + i1,schemaPath:"#/properties/derivationPath/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid2 = _errs23 === errors;
if(!valid2){
break;
}
}
}
else {
validate127.errors = [{instancePath:instancePath+"/derivationPath",schemaPath:"#/properties/derivationPath/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
let data14 = data.publicKey;
const _errs25 = errors;
if((typeof data14 !== "string") && (data14 !== null)){
validate127.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/type",keyword:"type",params:{type: schema59.properties.publicKey.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delegateUserShare !== undefined){
let data15 = data.delegateUserShare;
const _errs27 = errors;
const _errs28 = errors;
let valid3 = false;
const _errs29 = errors;
if(!(validate138(data15, {instancePath:instancePath+"/delegateUserShare",parentData:data,parentDataProperty:"delegateUserShare",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate138.errors : vErrors.concat(validate138.errors);
errors = vErrors.length;
}
var _valid0 = _errs29 === errors;
valid3 = valid3 || _valid0;
const _errs30 = errors;
if(data15 !== null){
const err0 = {instancePath:instancePath+"/delegateUserShare",schemaPath:"#/properties/delegateUserShare/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs30 === errors;
valid3 = valid3 || _valid0;
if(!valid3){
const err1 = {instancePath:instancePath+"/delegateUserShare",schemaPath:"#/properties/delegateUserShare/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate127.errors = vErrors;
return false;
}
else {
errors = _errs28;
if(vErrors !== null){
if(_errs28){
vErrors.length = _errs28;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
let data16 = data.signature;
const _errs32 = errors;
if((typeof data16 !== "string") && (data16 !== null)){
validate127.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: schema59.properties.signature.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureReason !== undefined){
let data17 = data.failureReason;
const _errs34 = errors;
const _errs35 = errors;
let valid4 = false;
const _errs36 = errors;
if(!(validate144(data17, {instancePath:instancePath+"/failureReason",parentData:data,parentDataProperty:"failureReason",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate144.errors : vErrors.concat(validate144.errors);
errors = vErrors.length;
}
var _valid1 = _errs36 === errors;
valid4 = valid4 || _valid1;
const _errs37 = errors;
if(data17 !== null){
const err2 = {instancePath:instancePath+"/failureReason",schemaPath:"#/properties/failureReason/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs37 === errors;
valid4 = valid4 || _valid1;
if(!valid4){
const err3 = {instancePath:instancePath+"/failureReason",schemaPath:"#/properties/failureReason/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate127.errors = vErrors;
return false;
}
else {
errors = _errs35;
if(vErrors !== null){
if(_errs35){
vErrors.length = _errs35;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureDetail !== undefined){
let data18 = data.failureDetail;
const _errs39 = errors;
if((typeof data18 !== "string") && (data18 !== null)){
validate127.errors = [{instancePath:instancePath+"/failureDetail",schemaPath:"#/properties/failureDetail/type",keyword:"type",params:{type: schema59.properties.failureDetail.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.culpritPartyIds !== undefined){
let data19 = data.culpritPartyIds;
const _errs41 = errors;
if(errors === _errs41){
if(Array.isArray(data19)){
var valid5 = true;
const len2 = data19.length;
for(let i2=0; i2<len2; i2++){
const _errs43 = errors;
if(!(validate116(data19[i2], {instancePath:instancePath+"/culpritPartyIds/" + i2,parentData:data19,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid5 = _errs43 === errors;
if(!valid5){
break;
}
}
}
else {
validate127.errors = [{instancePath:instancePath+"/culpritPartyIds",schemaPath:"#/properties/culpritPartyIds/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs41 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data21 = data.metadata;
const _errs44 = errors;
if(errors === _errs44){
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
}
else {
validate127.errors = [{instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs44 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data22 = data.createdAt;
const _errs47 = errors;
if(errors === _errs47){
if(errors === _errs47){
if(typeof data22 === "string"){
if(!(formats0.validate(data22))){
validate127.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate127.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs47 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.readyBy !== undefined){
let data23 = data.readyBy;
const _errs49 = errors;
if(errors === _errs49){
if(errors === _errs49){
if(typeof data23 === "string"){
if(!(formats0.validate(data23))){
validate127.errors = [{instancePath:instancePath+"/readyBy",schemaPath:"#/properties/readyBy/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate127.errors = [{instancePath:instancePath+"/readyBy",schemaPath:"#/properties/readyBy/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs49 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data24 = data.expiresAt;
const _errs51 = errors;
if(errors === _errs51){
if(errors === _errs51){
if(typeof data24 === "string"){
if(!(formats0.validate(data24))){
validate127.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate127.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs51 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endedAt !== undefined){
let data25 = data.endedAt;
const _errs53 = errors;
if((typeof data25 !== "string") && (data25 !== null)){
validate127.errors = [{instancePath:instancePath+"/endedAt",schemaPath:"#/properties/endedAt/type",keyword:"type",params:{type: schema59.properties.endedAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs53){
if(errors === _errs53){
if(typeof data25 === "string"){
if(!(formats0.validate(data25))){
validate127.errors = [{instancePath:instancePath+"/endedAt",schemaPath:"#/properties/endedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs53 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate127.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate127.errors = vErrors;
return errors === 0;
}
validate127.evaluated = {"props":{"sessionId":true,"tenantId":true,"accountId":true,"createdBy":true,"state":true,"stateVersion":true,"partySource":true,"threshold":true,"participants":true,"protocol":true,"messageDigest":true,"derivationPath":true,"publicKey":true,"delegateUserShare":true,"signature":true,"failureReason":true,"failureDetail":true,"culpritPartyIds":true,"metadata":true,"createdAt":true,"readyBy":true,"expiresAt":true,"endedAt":true},"dynamicProps":false,"dynamicItems":false};

function validate126(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createSigningSession_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate126.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate127(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate127.errors : vErrors.concat(validate127.errors);
errors = vErrors.length;
}
validate126.errors = vErrors;
return errors === 0;
}
validate126.evaluated = {"props":{"sessionId":true,"tenantId":true,"accountId":true,"createdBy":true,"state":true,"stateVersion":true,"partySource":true,"threshold":true,"participants":true,"protocol":true,"messageDigest":true,"derivationPath":true,"publicKey":true,"delegateUserShare":true,"signature":true,"failureReason":true,"failureDetail":true,"culpritPartyIds":true,"metadata":true,"createdAt":true,"readyBy":true,"expiresAt":true,"endedAt":true},"dynamicProps":false,"dynamicItems":false};

const check_claimDelegateKey_200_application_json = validate148;
const schema67 = {"$id":"check_claimDelegateKey_200_application_json","$ref":"document#/components/schemas/DelegateKey"};
const schema68 = {"type":"object","required":["delegatePartyId","keyId","suite","publicKey","oneTime","notAfter","signature"],"properties":{"delegatePartyId":{"$ref":"document#/components/schemas/PartyId"},"keyId":{"type":"string"},"suite":{"$ref":"document#/components/schemas/EncryptionSuite"},"publicKey":{"type":"string"},"oneTime":{"type":"boolean"},"notAfter":{"type":["string","null"],"format":"date-time"},"signature":{"type":"string"}}};

function validate149(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate149.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((data.delegatePartyId === undefined) && (missing0 = "delegatePartyId")) || ((data.keyId === undefined) && (missing0 = "keyId"))) || ((data.suite === undefined) && (missing0 = "suite"))) || ((data.publicKey === undefined) && (missing0 = "publicKey"))) || ((data.oneTime === undefined) && (missing0 = "oneTime"))) || ((data.notAfter === undefined) && (missing0 = "notAfter"))) || ((data.signature === undefined) && (missing0 = "signature"))){
validate149.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.delegatePartyId !== undefined){
const _errs1 = errors;
if(!(validate116(data.delegatePartyId, {instancePath:instancePath+"/delegatePartyId",parentData:data,parentDataProperty:"delegatePartyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.keyId !== undefined){
const _errs2 = errors;
if(typeof data.keyId !== "string"){
validate149.errors = [{instancePath:instancePath+"/keyId",schemaPath:"#/properties/keyId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suite !== undefined){
const _errs4 = errors;
if(!(validate140(data.suite, {instancePath:instancePath+"/suite",parentData:data,parentDataProperty:"suite",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
const _errs5 = errors;
if(typeof data.publicKey !== "string"){
validate149.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.oneTime !== undefined){
const _errs7 = errors;
if(typeof data.oneTime !== "boolean"){
validate149.errors = [{instancePath:instancePath+"/oneTime",schemaPath:"#/properties/oneTime/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.notAfter !== undefined){
let data5 = data.notAfter;
const _errs9 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate149.errors = [{instancePath:instancePath+"/notAfter",schemaPath:"#/properties/notAfter/type",keyword:"type",params:{type: schema68.properties.notAfter.type},message:"must be string,null"}];
return false;
}
if(errors === _errs9){
if(errors === _errs9){
if(typeof data5 === "string"){
if(!(formats0.validate(data5))){
validate149.errors = [{instancePath:instancePath+"/notAfter",schemaPath:"#/properties/notAfter/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
const _errs11 = errors;
if(typeof data.signature !== "string"){
validate149.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate149.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate149.errors = vErrors;
return errors === 0;
}
validate149.evaluated = {"props":{"delegatePartyId":true,"keyId":true,"suite":true,"publicKey":true,"oneTime":true,"notAfter":true,"signature":true},"dynamicProps":false,"dynamicItems":false};

function validate148(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_claimDelegateKey_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate148.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate149(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate149.errors : vErrors.concat(validate149.errors);
errors = vErrors.length;
}
validate148.errors = vErrors;
return errors === 0;
}
validate148.evaluated = {"props":{"delegatePartyId":true,"keyId":true,"suite":true,"publicKey":true,"oneTime":true,"notAfter":true,"signature":true},"dynamicProps":false,"dynamicItems":false};

const check_listSigningSessions_200_application_json = validate153;
const schema69 = {"$id":"check_listSigningSessions_200_application_json","$ref":"document#/components/schemas/SigningSessionPage"};
const schema70 = {"type":"object","required":["items","hasMore","nextCursor"],"properties":{"items":{"type":"array","items":{"$ref":"document#/components/schemas/SigningSession"}},"hasMore":{"$ref":"document#/components/schemas/HasMore"},"nextCursor":{"$ref":"document#/components/schemas/NextCursor"}}};

function validate155(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate155.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((((((((((((data.sessionId === undefined) && (missing0 = "sessionId")) || ((data.tenantId === undefined) && (missing0 = "tenantId"))) || ((data.accountId === undefined) && (missing0 = "accountId"))) || ((data.createdBy === undefined) && (missing0 = "createdBy"))) || ((data.state === undefined) && (missing0 = "state"))) || ((data.stateVersion === undefined) && (missing0 = "stateVersion"))) || ((data.partySource === undefined) && (missing0 = "partySource"))) || ((data.threshold === undefined) && (missing0 = "threshold"))) || ((data.participants === undefined) && (missing0 = "participants"))) || ((data.protocol === undefined) && (missing0 = "protocol"))) || ((data.messageDigest === undefined) && (missing0 = "messageDigest"))) || ((data.derivationPath === undefined) && (missing0 = "derivationPath"))) || ((data.publicKey === undefined) && (missing0 = "publicKey"))) || ((data.delegateUserShare === undefined) && (missing0 = "delegateUserShare"))) || ((data.signature === undefined) && (missing0 = "signature"))) || ((data.failureReason === undefined) && (missing0 = "failureReason"))) || ((data.failureDetail === undefined) && (missing0 = "failureDetail"))) || ((data.culpritPartyIds === undefined) && (missing0 = "culpritPartyIds"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.readyBy === undefined) && (missing0 = "readyBy"))) || ((data.expiresAt === undefined) && (missing0 = "expiresAt"))) || ((data.endedAt === undefined) && (missing0 = "endedAt"))){
validate155.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.sessionId !== undefined){
const _errs1 = errors;
if(typeof data.sessionId !== "string"){
validate155.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
const _errs3 = errors;
if(typeof data.tenantId !== "string"){
validate155.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
const _errs5 = errors;
if(typeof data.accountId !== "string"){
validate155.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdBy !== undefined){
const _errs7 = errors;
if(typeof data.createdBy !== "string"){
validate155.errors = [{instancePath:instancePath+"/createdBy",schemaPath:"#/properties/createdBy/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state !== undefined){
const _errs9 = errors;
if(!(validate128(data.state, {instancePath:instancePath+"/state",parentData:data,parentDataProperty:"state",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate128.errors : vErrors.concat(validate128.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stateVersion !== undefined){
let data5 = data.stateVersion;
const _errs10 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate155.errors = [{instancePath:instancePath+"/stateVersion",schemaPath:"#/properties/stateVersion/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 1 || isNaN(data5)){
validate155.errors = [{instancePath:instancePath+"/stateVersion",schemaPath:"#/properties/stateVersion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partySource !== undefined){
let data6 = data.partySource;
const _errs12 = errors;
if(typeof data6 !== "string"){
validate155.errors = [{instancePath:instancePath+"/partySource",schemaPath:"#/properties/partySource/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data6 === "configured") || (data6 === "all_active"))){
validate155.errors = [{instancePath:instancePath+"/partySource",schemaPath:"#/properties/partySource/enum",keyword:"enum",params:{allowedValues: schema59.properties.partySource.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
let data7 = data.threshold;
const _errs14 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate155.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs14){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 1 || isNaN(data7)){
validate155.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.participants !== undefined){
let data8 = data.participants;
const _errs16 = errors;
if(errors === _errs16){
if(Array.isArray(data8)){
var valid1 = true;
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
const _errs18 = errors;
if(!(validate130(data8[i0], {instancePath:instancePath+"/participants/" + i0,parentData:data8,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors);
errors = vErrors.length;
}
var valid1 = _errs18 === errors;
if(!valid1){
break;
}
}
}
else {
validate155.errors = [{instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.protocol !== undefined){
const _errs19 = errors;
if(!(validate134(data.protocol, {instancePath:instancePath+"/protocol",parentData:data,parentDataProperty:"protocol",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate134.errors : vErrors.concat(validate134.errors);
errors = vErrors.length;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messageDigest !== undefined){
const _errs20 = errors;
if(!(validate136(data.messageDigest, {instancePath:instancePath+"/messageDigest",parentData:data,parentDataProperty:"messageDigest",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.derivationPath !== undefined){
let data12 = data.derivationPath;
const _errs21 = errors;
if(errors === _errs21){
if(Array.isArray(data12)){
var valid2 = true;
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
let data13 = data12[i1];
const _errs23 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate155.errors = [{instancePath:instancePath+"/derivationPath/" + i1,schemaPath:"#/properties/derivationPath/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs23){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
validate155.errors = [{instancePath:instancePath+"/derivationPath/" + i1,schemaPath:"#/properties/derivationPath/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid2 = _errs23 === errors;
if(!valid2){
break;
}
}
}
else {
validate155.errors = [{instancePath:instancePath+"/derivationPath",schemaPath:"#/properties/derivationPath/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
let data14 = data.publicKey;
const _errs25 = errors;
if((typeof data14 !== "string") && (data14 !== null)){
validate155.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/type",keyword:"type",params:{type: schema59.properties.publicKey.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delegateUserShare !== undefined){
let data15 = data.delegateUserShare;
const _errs27 = errors;
const _errs28 = errors;
let valid3 = false;
const _errs29 = errors;
if(!(validate138(data15, {instancePath:instancePath+"/delegateUserShare",parentData:data,parentDataProperty:"delegateUserShare",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate138.errors : vErrors.concat(validate138.errors);
errors = vErrors.length;
}
var _valid0 = _errs29 === errors;
valid3 = valid3 || _valid0;
const _errs30 = errors;
if(data15 !== null){
const err0 = {instancePath:instancePath+"/delegateUserShare",schemaPath:"#/properties/delegateUserShare/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs30 === errors;
valid3 = valid3 || _valid0;
if(!valid3){
const err1 = {instancePath:instancePath+"/delegateUserShare",schemaPath:"#/properties/delegateUserShare/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate155.errors = vErrors;
return false;
}
else {
errors = _errs28;
if(vErrors !== null){
if(_errs28){
vErrors.length = _errs28;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
let data16 = data.signature;
const _errs32 = errors;
if((typeof data16 !== "string") && (data16 !== null)){
validate155.errors = [{instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: schema59.properties.signature.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureReason !== undefined){
let data17 = data.failureReason;
const _errs34 = errors;
const _errs35 = errors;
let valid4 = false;
const _errs36 = errors;
if(!(validate144(data17, {instancePath:instancePath+"/failureReason",parentData:data,parentDataProperty:"failureReason",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate144.errors : vErrors.concat(validate144.errors);
errors = vErrors.length;
}
var _valid1 = _errs36 === errors;
valid4 = valid4 || _valid1;
const _errs37 = errors;
if(data17 !== null){
const err2 = {instancePath:instancePath+"/failureReason",schemaPath:"#/properties/failureReason/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs37 === errors;
valid4 = valid4 || _valid1;
if(!valid4){
const err3 = {instancePath:instancePath+"/failureReason",schemaPath:"#/properties/failureReason/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate155.errors = vErrors;
return false;
}
else {
errors = _errs35;
if(vErrors !== null){
if(_errs35){
vErrors.length = _errs35;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failureDetail !== undefined){
let data18 = data.failureDetail;
const _errs39 = errors;
if((typeof data18 !== "string") && (data18 !== null)){
validate155.errors = [{instancePath:instancePath+"/failureDetail",schemaPath:"#/properties/failureDetail/type",keyword:"type",params:{type: schema59.properties.failureDetail.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.culpritPartyIds !== undefined){
let data19 = data.culpritPartyIds;
const _errs41 = errors;
if(errors === _errs41){
if(Array.isArray(data19)){
var valid5 = true;
const len2 = data19.length;
for(let i2=0; i2<len2; i2++){
const _errs43 = errors;
if(!(validate116(data19[i2], {instancePath:instancePath+"/culpritPartyIds/" + i2,parentData:data19,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid5 = _errs43 === errors;
if(!valid5){
break;
}
}
}
else {
validate155.errors = [{instancePath:instancePath+"/culpritPartyIds",schemaPath:"#/properties/culpritPartyIds/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs41 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data21 = data.metadata;
const _errs44 = errors;
if(errors === _errs44){
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
}
else {
validate155.errors = [{instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs44 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data22 = data.createdAt;
const _errs47 = errors;
if(errors === _errs47){
if(errors === _errs47){
if(typeof data22 === "string"){
if(!(formats0.validate(data22))){
validate155.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate155.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs47 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.readyBy !== undefined){
let data23 = data.readyBy;
const _errs49 = errors;
if(errors === _errs49){
if(errors === _errs49){
if(typeof data23 === "string"){
if(!(formats0.validate(data23))){
validate155.errors = [{instancePath:instancePath+"/readyBy",schemaPath:"#/properties/readyBy/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate155.errors = [{instancePath:instancePath+"/readyBy",schemaPath:"#/properties/readyBy/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs49 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresAt !== undefined){
let data24 = data.expiresAt;
const _errs51 = errors;
if(errors === _errs51){
if(errors === _errs51){
if(typeof data24 === "string"){
if(!(formats0.validate(data24))){
validate155.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate155.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs51 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endedAt !== undefined){
let data25 = data.endedAt;
const _errs53 = errors;
if((typeof data25 !== "string") && (data25 !== null)){
validate155.errors = [{instancePath:instancePath+"/endedAt",schemaPath:"#/properties/endedAt/type",keyword:"type",params:{type: schema59.properties.endedAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs53){
if(errors === _errs53){
if(typeof data25 === "string"){
if(!(formats0.validate(data25))){
validate155.errors = [{instancePath:instancePath+"/endedAt",schemaPath:"#/properties/endedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs53 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate155.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate155.errors = vErrors;
return errors === 0;
}
validate155.evaluated = {"props":{"sessionId":true,"tenantId":true,"accountId":true,"createdBy":true,"state":true,"stateVersion":true,"partySource":true,"threshold":true,"participants":true,"protocol":true,"messageDigest":true,"derivationPath":true,"publicKey":true,"delegateUserShare":true,"signature":true,"failureReason":true,"failureDetail":true,"culpritPartyIds":true,"metadata":true,"createdAt":true,"readyBy":true,"expiresAt":true,"endedAt":true},"dynamicProps":false,"dynamicItems":false};

const schema72 = {"type":"boolean"};

function validate164(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate164.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
validate164.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
validate164.errors = vErrors;
return errors === 0;
}
validate164.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema73 = {"type":["string","null"]};

function validate166(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate166.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (data !== null)){
validate166.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema73.type},message:"must be string,null"}];
return false;
}
validate166.errors = vErrors;
return errors === 0;
}
validate166.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate154(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate154.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.items === undefined) && (missing0 = "items")) || ((data.hasMore === undefined) && (missing0 = "hasMore"))) || ((data.nextCursor === undefined) && (missing0 = "nextCursor"))){
validate154.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.items !== undefined){
let data0 = data.items;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validate155(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate155.errors : vErrors.concat(validate155.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate154.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hasMore !== undefined){
const _errs4 = errors;
if(!(validate164(data.hasMore, {instancePath:instancePath+"/hasMore",parentData:data,parentDataProperty:"hasMore",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate164.errors : vErrors.concat(validate164.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextCursor !== undefined){
const _errs5 = errors;
if(!(validate166(data.nextCursor, {instancePath:instancePath+"/nextCursor",parentData:data,parentDataProperty:"nextCursor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate154.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate154.errors = vErrors;
return errors === 0;
}
validate154.evaluated = {"props":{"items":true,"hasMore":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

function validate153(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listSigningSessions_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate153.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate154(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate154.errors : vErrors.concat(validate154.errors);
errors = vErrors.length;
}
validate153.errors = vErrors;
return errors === 0;
}
validate153.evaluated = {"props":{"items":true,"hasMore":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

const check_listSigningSessionEvents_200_application_json = validate169;
const schema74 = {"$id":"check_listSigningSessionEvents_200_application_json","$ref":"document#/components/schemas/SigningSessionEventPage"};
const schema75 = {"type":"object","required":["items","lastSequence"],"properties":{"items":{"type":"array","items":{"$ref":"document#/components/schemas/SigningSessionEvent"}},"lastSequence":{"type":"integer","minimum":0}}};
const schema76 = {"type":"object","required":["eventId","sequence","type","sessionId","accountId","state","occurredAt","data"],"properties":{"eventId":{"type":"string"},"sequence":{"type":"integer","minimum":1},"type":{"$ref":"document#/components/schemas/SigningSessionEventType"},"sessionId":{"type":"string"},"accountId":{"type":"string"},"state":{"$ref":"document#/components/schemas/SigningSessionState"},"partyId":{"$ref":"document#/components/schemas/PartyId"},"occurredAt":{"type":"string","format":"date-time"},"data":{"type":"object","additionalProperties":true},"DelegateUserShare":{"$ref":"document#/components/schemas/DelegateUserShareReceipt"}}};
const schema77 = {"type":"string","enum":["created","party-joined","delegate-share-supplied","started","party-reported","completed","failed","expired","cancelled"]};

function validate172(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate172.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate172.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((((data === "created") || (data === "party-joined")) || (data === "delegate-share-supplied")) || (data === "started")) || (data === "party-reported")) || (data === "completed")) || (data === "failed")) || (data === "expired")) || (data === "cancelled"))){
validate172.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema77.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate172.errors = vErrors;
return errors === 0;
}
validate172.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate171(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate171.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((data.eventId === undefined) && (missing0 = "eventId")) || ((data.sequence === undefined) && (missing0 = "sequence"))) || ((data.type === undefined) && (missing0 = "type"))) || ((data.sessionId === undefined) && (missing0 = "sessionId"))) || ((data.accountId === undefined) && (missing0 = "accountId"))) || ((data.state === undefined) && (missing0 = "state"))) || ((data.occurredAt === undefined) && (missing0 = "occurredAt"))) || ((data.data === undefined) && (missing0 = "data"))){
validate171.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.eventId !== undefined){
const _errs1 = errors;
if(typeof data.eventId !== "string"){
validate171.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sequence !== undefined){
let data1 = data.sequence;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate171.errors = [{instancePath:instancePath+"/sequence",schemaPath:"#/properties/sequence/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
validate171.errors = [{instancePath:instancePath+"/sequence",schemaPath:"#/properties/sequence/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
const _errs5 = errors;
if(!(validate172(data.type, {instancePath:instancePath+"/type",parentData:data,parentDataProperty:"type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate172.errors : vErrors.concat(validate172.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sessionId !== undefined){
const _errs6 = errors;
if(typeof data.sessionId !== "string"){
validate171.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.accountId !== undefined){
const _errs8 = errors;
if(typeof data.accountId !== "string"){
validate171.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state !== undefined){
const _errs10 = errors;
if(!(validate128(data.state, {instancePath:instancePath+"/state",parentData:data,parentDataProperty:"state",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate128.errors : vErrors.concat(validate128.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partyId !== undefined){
const _errs11 = errors;
if(!(validate116(data.partyId, {instancePath:instancePath+"/partyId",parentData:data,parentDataProperty:"partyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.occurredAt !== undefined){
let data7 = data.occurredAt;
const _errs12 = errors;
if(errors === _errs12){
if(errors === _errs12){
if(typeof data7 === "string"){
if(!(formats0.validate(data7))){
validate171.errors = [{instancePath:instancePath+"/occurredAt",schemaPath:"#/properties/occurredAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate171.errors = [{instancePath:instancePath+"/occurredAt",schemaPath:"#/properties/occurredAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data8 = data.data;
const _errs14 = errors;
if(errors === _errs14){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
}
else {
validate171.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.DelegateUserShare !== undefined){
const _errs17 = errors;
if(!(validate138(data.DelegateUserShare, {instancePath:instancePath+"/DelegateUserShare",parentData:data,parentDataProperty:"DelegateUserShare",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate138.errors : vErrors.concat(validate138.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate171.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate171.errors = vErrors;
return errors === 0;
}
validate171.evaluated = {"props":{"eventId":true,"sequence":true,"type":true,"sessionId":true,"accountId":true,"state":true,"partyId":true,"occurredAt":true,"data":true,"DelegateUserShare":true},"dynamicProps":false,"dynamicItems":false};

function validate170(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate170.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.items === undefined) && (missing0 = "items")) || ((data.lastSequence === undefined) && (missing0 = "lastSequence"))){
validate170.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.items !== undefined){
let data0 = data.items;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validate171(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate171.errors : vErrors.concat(validate171.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate170.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lastSequence !== undefined){
let data2 = data.lastSequence;
const _errs4 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate170.errors = [{instancePath:instancePath+"/lastSequence",schemaPath:"#/properties/lastSequence/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate170.errors = [{instancePath:instancePath+"/lastSequence",schemaPath:"#/properties/lastSequence/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate170.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate170.errors = vErrors;
return errors === 0;
}
validate170.evaluated = {"props":{"items":true,"lastSequence":true},"dynamicProps":false,"dynamicItems":false};

function validate169(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listSigningSessionEvents_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate169.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate170(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate170.errors : vErrors.concat(validate170.errors);
errors = vErrors.length;
}
validate169.errors = vErrors;
return errors === 0;
}
validate169.evaluated = {"props":{"items":true,"lastSequence":true},"dynamicProps":false,"dynamicItems":false};

const check_listAccounts_200_application_json = validate179;
const schema78 = {"$id":"check_listAccounts_200_application_json","$ref":"document#/components/schemas/AccountPage"};
const schema79 = {"type":"object","required":["items","hasMore","nextCursor"],"properties":{"items":{"type":"array","items":{"$ref":"document#/components/schemas/Account"}},"hasMore":{"$ref":"document#/components/schemas/HasMore"},"nextCursor":{"$ref":"document#/components/schemas/NextCursor"}}};
const schema80 = {"type":"object","required":["accountId","tenantId","ownerUserId","name","keyType","publicKey","threshold","status","shares","signingParties","version","createdAt","updatedAt"],"properties":{"accountId":{"type":"string"},"tenantId":{"type":"string"},"ownerUserId":{"type":"string"},"name":{"type":"string"},"keyType":{"$ref":"document#/components/schemas/KeyType"},"publicKey":{"type":["string","null"]},"threshold":{"type":"integer","minimum":1},"status":{"$ref":"document#/components/schemas/AccountStatus"},"shares":{"type":"array","items":{"$ref":"document#/components/schemas/AccountShare"}},"signingParties":{"anyOf":[{"$ref":"document#/components/schemas/SigningParties"},{"type":"null"}]},"version":{"type":"integer","minimum":1},"createdAt":{"type":"string","format":"date-time"},"updatedAt":{"type":"string","format":"date-time"}}};
const schema81 = {"type":"string","enum":["secp256k1","ed25519","p256"]};

function validate182(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate182.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate182.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "secp256k1") || (data === "ed25519")) || (data === "p256"))){
validate182.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema81.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate182.errors = vErrors;
return errors === 0;
}
validate182.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema82 = {"type":"string","enum":["pending","active","frozen","archived"]};

function validate184(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate184.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate184.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data === "pending") || (data === "active")) || (data === "frozen")) || (data === "archived"))){
validate184.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema82.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate184.errors = vErrors;
return errors === 0;
}
validate184.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema83 = {"type":"object","required":["partyId","shareIndex","shareType","status"],"properties":{"partyId":{"$ref":"document#/components/schemas/PartyId"},"shareIndex":{"type":"integer","minimum":1,"maximum":64},"shareType":{"$ref":"document#/components/schemas/ShareType"},"status":{"type":"string","enum":["active","retired"]}}};

function validate186(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate186.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.partyId === undefined) && (missing0 = "partyId")) || ((data.shareIndex === undefined) && (missing0 = "shareIndex"))) || ((data.shareType === undefined) && (missing0 = "shareType"))) || ((data.status === undefined) && (missing0 = "status"))){
validate186.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.partyId !== undefined){
const _errs1 = errors;
if(!(validate116(data.partyId, {instancePath:instancePath+"/partyId",parentData:data,parentDataProperty:"partyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareIndex !== undefined){
let data1 = data.shareIndex;
const _errs2 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate186.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 64 || isNaN(data1)){
validate186.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/maximum",keyword:"maximum",params:{comparison: "<=", limit: 64},message:"must be <= 64"}];
return false;
}
else {
if(data1 < 1 || isNaN(data1)){
validate186.errors = [{instancePath:instancePath+"/shareIndex",schemaPath:"#/properties/shareIndex/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shareType !== undefined){
const _errs4 = errors;
if(!(validate118(data.shareType, {instancePath:instancePath+"/shareType",parentData:data,parentDataProperty:"shareType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data3 = data.status;
const _errs5 = errors;
if(typeof data3 !== "string"){
validate186.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data3 === "active") || (data3 === "retired"))){
validate186.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema83.properties.status.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate186.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate186.errors = vErrors;
return errors === 0;
}
validate186.evaluated = {"props":{"partyId":true,"shareIndex":true,"shareType":true,"status":true},"dynamicProps":false,"dynamicItems":false};

function validate181(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate181.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((data.accountId === undefined) && (missing0 = "accountId")) || ((data.tenantId === undefined) && (missing0 = "tenantId"))) || ((data.ownerUserId === undefined) && (missing0 = "ownerUserId"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.keyType === undefined) && (missing0 = "keyType"))) || ((data.publicKey === undefined) && (missing0 = "publicKey"))) || ((data.threshold === undefined) && (missing0 = "threshold"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.shares === undefined) && (missing0 = "shares"))) || ((data.signingParties === undefined) && (missing0 = "signingParties"))) || ((data.version === undefined) && (missing0 = "version"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.updatedAt === undefined) && (missing0 = "updatedAt"))){
validate181.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.accountId !== undefined){
const _errs1 = errors;
if(typeof data.accountId !== "string"){
validate181.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
const _errs3 = errors;
if(typeof data.tenantId !== "string"){
validate181.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ownerUserId !== undefined){
const _errs5 = errors;
if(typeof data.ownerUserId !== "string"){
validate181.errors = [{instancePath:instancePath+"/ownerUserId",schemaPath:"#/properties/ownerUserId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs7 = errors;
if(typeof data.name !== "string"){
validate181.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.keyType !== undefined){
const _errs9 = errors;
if(!(validate182(data.keyType, {instancePath:instancePath+"/keyType",parentData:data,parentDataProperty:"keyType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate182.errors : vErrors.concat(validate182.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
let data5 = data.publicKey;
const _errs10 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate181.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/type",keyword:"type",params:{type: schema80.properties.publicKey.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
let data6 = data.threshold;
const _errs12 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate181.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs12){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 1 || isNaN(data6)){
validate181.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs14 = errors;
if(!(validate184(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate184.errors : vErrors.concat(validate184.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shares !== undefined){
let data8 = data.shares;
const _errs15 = errors;
if(errors === _errs15){
if(Array.isArray(data8)){
var valid1 = true;
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
const _errs17 = errors;
if(!(validate186(data8[i0], {instancePath:instancePath+"/shares/" + i0,parentData:data8,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate186.errors : vErrors.concat(validate186.errors);
errors = vErrors.length;
}
var valid1 = _errs17 === errors;
if(!valid1){
break;
}
}
}
else {
validate181.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signingParties !== undefined){
let data10 = data.signingParties;
const _errs18 = errors;
const _errs19 = errors;
let valid2 = false;
const _errs20 = errors;
if(!(validate113(data10, {instancePath:instancePath+"/signingParties",parentData:data,parentDataProperty:"signingParties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
var _valid0 = _errs20 === errors;
valid2 = valid2 || _valid0;
const _errs21 = errors;
if(data10 !== null){
const err0 = {instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs21 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err1 = {instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate181.errors = vErrors;
return false;
}
else {
errors = _errs19;
if(vErrors !== null){
if(_errs19){
vErrors.length = _errs19;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data11 = data.version;
const _errs23 = errors;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
validate181.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs23){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
validate181.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data12 = data.createdAt;
const _errs25 = errors;
if(errors === _errs25){
if(errors === _errs25){
if(typeof data12 === "string"){
if(!(formats0.validate(data12))){
validate181.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate181.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedAt !== undefined){
let data13 = data.updatedAt;
const _errs27 = errors;
if(errors === _errs27){
if(errors === _errs27){
if(typeof data13 === "string"){
if(!(formats0.validate(data13))){
validate181.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate181.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate181.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate181.errors = vErrors;
return errors === 0;
}
validate181.evaluated = {"props":{"accountId":true,"tenantId":true,"ownerUserId":true,"name":true,"keyType":true,"publicKey":true,"threshold":true,"status":true,"shares":true,"signingParties":true,"version":true,"createdAt":true,"updatedAt":true},"dynamicProps":false,"dynamicItems":false};

function validate180(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate180.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.items === undefined) && (missing0 = "items")) || ((data.hasMore === undefined) && (missing0 = "hasMore"))) || ((data.nextCursor === undefined) && (missing0 = "nextCursor"))){
validate180.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.items !== undefined){
let data0 = data.items;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validate181(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate181.errors : vErrors.concat(validate181.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate180.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hasMore !== undefined){
const _errs4 = errors;
if(!(validate164(data.hasMore, {instancePath:instancePath+"/hasMore",parentData:data,parentDataProperty:"hasMore",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate164.errors : vErrors.concat(validate164.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextCursor !== undefined){
const _errs5 = errors;
if(!(validate166(data.nextCursor, {instancePath:instancePath+"/nextCursor",parentData:data,parentDataProperty:"nextCursor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate180.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate180.errors = vErrors;
return errors === 0;
}
validate180.evaluated = {"props":{"items":true,"hasMore":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

function validate179(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listAccounts_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate179.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate180(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate180.errors : vErrors.concat(validate180.errors);
errors = vErrors.length;
}
validate179.errors = vErrors;
return errors === 0;
}
validate179.evaluated = {"props":{"items":true,"hasMore":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

const check_createAccount_201_application_json = validate195;
const schema84 = {"$id":"check_createAccount_201_application_json","$ref":"document#/components/schemas/Account"};

function validate196(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate196.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((data.accountId === undefined) && (missing0 = "accountId")) || ((data.tenantId === undefined) && (missing0 = "tenantId"))) || ((data.ownerUserId === undefined) && (missing0 = "ownerUserId"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.keyType === undefined) && (missing0 = "keyType"))) || ((data.publicKey === undefined) && (missing0 = "publicKey"))) || ((data.threshold === undefined) && (missing0 = "threshold"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.shares === undefined) && (missing0 = "shares"))) || ((data.signingParties === undefined) && (missing0 = "signingParties"))) || ((data.version === undefined) && (missing0 = "version"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.updatedAt === undefined) && (missing0 = "updatedAt"))){
validate196.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.accountId !== undefined){
const _errs1 = errors;
if(typeof data.accountId !== "string"){
validate196.errors = [{instancePath:instancePath+"/accountId",schemaPath:"#/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenantId !== undefined){
const _errs3 = errors;
if(typeof data.tenantId !== "string"){
validate196.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ownerUserId !== undefined){
const _errs5 = errors;
if(typeof data.ownerUserId !== "string"){
validate196.errors = [{instancePath:instancePath+"/ownerUserId",schemaPath:"#/properties/ownerUserId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs7 = errors;
if(typeof data.name !== "string"){
validate196.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.keyType !== undefined){
const _errs9 = errors;
if(!(validate182(data.keyType, {instancePath:instancePath+"/keyType",parentData:data,parentDataProperty:"keyType",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate182.errors : vErrors.concat(validate182.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicKey !== undefined){
let data5 = data.publicKey;
const _errs10 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate196.errors = [{instancePath:instancePath+"/publicKey",schemaPath:"#/properties/publicKey/type",keyword:"type",params:{type: schema80.properties.publicKey.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.threshold !== undefined){
let data6 = data.threshold;
const _errs12 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate196.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs12){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 1 || isNaN(data6)){
validate196.errors = [{instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs14 = errors;
if(!(validate184(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate184.errors : vErrors.concat(validate184.errors);
errors = vErrors.length;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shares !== undefined){
let data8 = data.shares;
const _errs15 = errors;
if(errors === _errs15){
if(Array.isArray(data8)){
var valid1 = true;
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
const _errs17 = errors;
if(!(validate186(data8[i0], {instancePath:instancePath+"/shares/" + i0,parentData:data8,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate186.errors : vErrors.concat(validate186.errors);
errors = vErrors.length;
}
var valid1 = _errs17 === errors;
if(!valid1){
break;
}
}
}
else {
validate196.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signingParties !== undefined){
let data10 = data.signingParties;
const _errs18 = errors;
const _errs19 = errors;
let valid2 = false;
const _errs20 = errors;
if(!(validate113(data10, {instancePath:instancePath+"/signingParties",parentData:data,parentDataProperty:"signingParties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
var _valid0 = _errs20 === errors;
valid2 = valid2 || _valid0;
const _errs21 = errors;
if(data10 !== null){
const err0 = {instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs21 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err1 = {instancePath:instancePath+"/signingParties",schemaPath:"#/properties/signingParties/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate196.errors = vErrors;
return false;
}
else {
errors = _errs19;
if(vErrors !== null){
if(_errs19){
vErrors.length = _errs19;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data11 = data.version;
const _errs23 = errors;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
validate196.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs23){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
validate196.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data12 = data.createdAt;
const _errs25 = errors;
if(errors === _errs25){
if(errors === _errs25){
if(typeof data12 === "string"){
if(!(formats0.validate(data12))){
validate196.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate196.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updatedAt !== undefined){
let data13 = data.updatedAt;
const _errs27 = errors;
if(errors === _errs27){
if(errors === _errs27){
if(typeof data13 === "string"){
if(!(formats0.validate(data13))){
validate196.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate196.errors = [{instancePath:instancePath+"/updatedAt",schemaPath:"#/properties/updatedAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate196.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate196.errors = vErrors;
return errors === 0;
}
validate196.evaluated = {"props":{"accountId":true,"tenantId":true,"ownerUserId":true,"name":true,"keyType":true,"publicKey":true,"threshold":true,"status":true,"shares":true,"signingParties":true,"version":true,"createdAt":true,"updatedAt":true},"dynamicProps":false,"dynamicItems":false};

function validate195(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createAccount_201_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate195.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate196(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate196.errors : vErrors.concat(validate196.errors);
errors = vErrors.length;
}
validate195.errors = vErrors;
return errors === 0;
}
validate195.evaluated = {"props":{"accountId":true,"tenantId":true,"ownerUserId":true,"name":true,"keyType":true,"publicKey":true,"threshold":true,"status":true,"shares":true,"signingParties":true,"version":true,"createdAt":true,"updatedAt":true},"dynamicProps":false,"dynamicItems":false};

const check_listParties_200_application_json = validate202;
const schema86 = {"$id":"check_listParties_200_application_json","$ref":"document#/components/schemas/PartyPage"};
const schema87 = {"type":"object","required":["items","hasMore","nextCursor"],"properties":{"items":{"type":"array","items":{"$ref":"document#/components/schemas/Party"}},"hasMore":{"$ref":"document#/components/schemas/HasMore"},"nextCursor":{"$ref":"document#/components/schemas/NextCursor"}}};
const schema88 = {"type":"object","required":["partyId","name","role","status","identityPublicKey","certificateSha256","online","lastSeenAt","createdAt","version"],"properties":{"partyId":{"$ref":"document#/components/schemas/PartyId"},"name":{"type":"string"},"role":{"$ref":"document#/components/schemas/PartyRole"},"status":{"$ref":"document#/components/schemas/PartyStatus"},"identityPublicKey":{"type":"string"},"certificateSha256":{"type":["string","null"]},"online":{"type":"boolean"},"lastSeenAt":{"type":["string","null"],"format":"date-time"},"createdAt":{"type":"string","format":"date-time"},"version":{"type":"integer","minimum":1}}};
const schema89 = {"type":"string","enum":["server","user","delegate"]};

function validate206(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate206.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate206.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data === "server") || (data === "user")) || (data === "delegate"))){
validate206.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema89.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate206.errors = vErrors;
return errors === 0;
}
validate206.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate204(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate204.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((data.partyId === undefined) && (missing0 = "partyId")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.role === undefined) && (missing0 = "role"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.identityPublicKey === undefined) && (missing0 = "identityPublicKey"))) || ((data.certificateSha256 === undefined) && (missing0 = "certificateSha256"))) || ((data.online === undefined) && (missing0 = "online"))) || ((data.lastSeenAt === undefined) && (missing0 = "lastSeenAt"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.version === undefined) && (missing0 = "version"))){
validate204.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.partyId !== undefined){
const _errs1 = errors;
if(!(validate116(data.partyId, {instancePath:instancePath+"/partyId",parentData:data,parentDataProperty:"partyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs2 = errors;
if(typeof data.name !== "string"){
validate204.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
const _errs4 = errors;
if(!(validate206(data.role, {instancePath:instancePath+"/role",parentData:data,parentDataProperty:"role",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate206.errors : vErrors.concat(validate206.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs5 = errors;
if(!(validate120(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.identityPublicKey !== undefined){
const _errs6 = errors;
if(typeof data.identityPublicKey !== "string"){
validate204.errors = [{instancePath:instancePath+"/identityPublicKey",schemaPath:"#/properties/identityPublicKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.certificateSha256 !== undefined){
let data5 = data.certificateSha256;
const _errs8 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate204.errors = [{instancePath:instancePath+"/certificateSha256",schemaPath:"#/properties/certificateSha256/type",keyword:"type",params:{type: schema88.properties.certificateSha256.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.online !== undefined){
const _errs10 = errors;
if(typeof data.online !== "boolean"){
validate204.errors = [{instancePath:instancePath+"/online",schemaPath:"#/properties/online/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lastSeenAt !== undefined){
let data7 = data.lastSeenAt;
const _errs12 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate204.errors = [{instancePath:instancePath+"/lastSeenAt",schemaPath:"#/properties/lastSeenAt/type",keyword:"type",params:{type: schema88.properties.lastSeenAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs12){
if(errors === _errs12){
if(typeof data7 === "string"){
if(!(formats0.validate(data7))){
validate204.errors = [{instancePath:instancePath+"/lastSeenAt",schemaPath:"#/properties/lastSeenAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data8 = data.createdAt;
const _errs14 = errors;
if(errors === _errs14){
if(errors === _errs14){
if(typeof data8 === "string"){
if(!(formats0.validate(data8))){
validate204.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate204.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data9 = data.version;
const _errs16 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate204.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs16){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 1 || isNaN(data9)){
validate204.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate204.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate204.errors = vErrors;
return errors === 0;
}
validate204.evaluated = {"props":{"partyId":true,"name":true,"role":true,"status":true,"identityPublicKey":true,"certificateSha256":true,"online":true,"lastSeenAt":true,"createdAt":true,"version":true},"dynamicProps":false,"dynamicItems":false};

function validate203(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate203.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.items === undefined) && (missing0 = "items")) || ((data.hasMore === undefined) && (missing0 = "hasMore"))) || ((data.nextCursor === undefined) && (missing0 = "nextCursor"))){
validate203.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.items !== undefined){
let data0 = data.items;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validate204(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate204.errors : vErrors.concat(validate204.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate203.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hasMore !== undefined){
const _errs4 = errors;
if(!(validate164(data.hasMore, {instancePath:instancePath+"/hasMore",parentData:data,parentDataProperty:"hasMore",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate164.errors : vErrors.concat(validate164.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextCursor !== undefined){
const _errs5 = errors;
if(!(validate166(data.nextCursor, {instancePath:instancePath+"/nextCursor",parentData:data,parentDataProperty:"nextCursor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate203.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate203.errors = vErrors;
return errors === 0;
}
validate203.evaluated = {"props":{"items":true,"hasMore":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

function validate202(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_listParties_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate202.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate203(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate203.errors : vErrors.concat(validate203.errors);
errors = vErrors.length;
}
validate202.errors = vErrors;
return errors === 0;
}
validate202.evaluated = {"props":{"items":true,"hasMore":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

const check_createParty_201_application_json = validate213;
const schema90 = {"$id":"check_createParty_201_application_json","$ref":"document#/components/schemas/Party"};

function validate214(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate214.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((data.partyId === undefined) && (missing0 = "partyId")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.role === undefined) && (missing0 = "role"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.identityPublicKey === undefined) && (missing0 = "identityPublicKey"))) || ((data.certificateSha256 === undefined) && (missing0 = "certificateSha256"))) || ((data.online === undefined) && (missing0 = "online"))) || ((data.lastSeenAt === undefined) && (missing0 = "lastSeenAt"))) || ((data.createdAt === undefined) && (missing0 = "createdAt"))) || ((data.version === undefined) && (missing0 = "version"))){
validate214.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.partyId !== undefined){
const _errs1 = errors;
if(!(validate116(data.partyId, {instancePath:instancePath+"/partyId",parentData:data,parentDataProperty:"partyId",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs2 = errors;
if(typeof data.name !== "string"){
validate214.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
const _errs4 = errors;
if(!(validate206(data.role, {instancePath:instancePath+"/role",parentData:data,parentDataProperty:"role",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate206.errors : vErrors.concat(validate206.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs5 = errors;
if(!(validate120(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.identityPublicKey !== undefined){
const _errs6 = errors;
if(typeof data.identityPublicKey !== "string"){
validate214.errors = [{instancePath:instancePath+"/identityPublicKey",schemaPath:"#/properties/identityPublicKey/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.certificateSha256 !== undefined){
let data5 = data.certificateSha256;
const _errs8 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate214.errors = [{instancePath:instancePath+"/certificateSha256",schemaPath:"#/properties/certificateSha256/type",keyword:"type",params:{type: schema88.properties.certificateSha256.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.online !== undefined){
const _errs10 = errors;
if(typeof data.online !== "boolean"){
validate214.errors = [{instancePath:instancePath+"/online",schemaPath:"#/properties/online/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lastSeenAt !== undefined){
let data7 = data.lastSeenAt;
const _errs12 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate214.errors = [{instancePath:instancePath+"/lastSeenAt",schemaPath:"#/properties/lastSeenAt/type",keyword:"type",params:{type: schema88.properties.lastSeenAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs12){
if(errors === _errs12){
if(typeof data7 === "string"){
if(!(formats0.validate(data7))){
validate214.errors = [{instancePath:instancePath+"/lastSeenAt",schemaPath:"#/properties/lastSeenAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.createdAt !== undefined){
let data8 = data.createdAt;
const _errs14 = errors;
if(errors === _errs14){
if(errors === _errs14){
if(typeof data8 === "string"){
if(!(formats0.validate(data8))){
validate214.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate214.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data9 = data.version;
const _errs16 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate214.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs16){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 1 || isNaN(data9)){
validate214.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate214.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate214.errors = vErrors;
return errors === 0;
}
validate214.evaluated = {"props":{"partyId":true,"name":true,"role":true,"status":true,"identityPublicKey":true,"certificateSha256":true,"online":true,"lastSeenAt":true,"createdAt":true,"version":true},"dynamicProps":false,"dynamicItems":false};

function validate213(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createParty_201_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate213.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate214(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate214.errors : vErrors.concat(validate214.errors);
errors = vErrors.length;
}
validate213.errors = vErrors;
return errors === 0;
}
validate213.evaluated = {"props":{"partyId":true,"name":true,"role":true,"status":true,"identityPublicKey":true,"certificateSha256":true,"online":true,"lastSeenAt":true,"createdAt":true,"version":true},"dynamicProps":false,"dynamicItems":false};

const check_getDatabaseDocument_200_application_openapi_json = validate219;
const schema92 = {"$id":"check_getDatabaseDocument_200_application_openapi_json","$ref":"document#/components/schemas/DatabaseDocument"};
const schema93 = {"type":"object","additionalProperties":true};

function validate220(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate220.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
}
else {
validate220.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate220.errors = vErrors;
return errors === 0;
}
validate220.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate219(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getDatabaseDocument_200_application_openapi_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate219.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate220(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate220.errors : vErrors.concat(validate220.errors);
errors = vErrors.length;
}
validate219.errors = vErrors;
return errors === 0;
}
validate219.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_getDatabaseDocument_401_application_json = validate222;
const schema94 = {"$id":"check_getDatabaseDocument_401_application_json","$ref":"document#/components/schemas/DataApiError"};
const schema95 = {"anyOf":[{"$ref":"document#/components/schemas/DbrError"},{"$ref":"document#/components/schemas/DatabaseError"}]};

function validate223(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate223.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(!(validate80(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate80.errors : vErrors.concat(validate80.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
var props0 = {};
props0.code = true;
props0.message = true;
props0.details = true;
props0.hint = true;
props0.errors = true;
}
const _errs2 = errors;
if(!(validate85(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = props0 || {};
props0.code = true;
props0.message = true;
props0.details = true;
props0.hint = true;
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate223.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate223.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate223.evaluated = {"dynamicProps":true,"dynamicItems":false};

function validate222(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getDatabaseDocument_401_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate222.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate223(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate223.errors : vErrors.concat(validate223.errors);
errors = vErrors.length;
}
else {
var props0 = validate223.evaluated.props;
}
validate222.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate222.evaluated = {"dynamicProps":true,"dynamicItems":false};

const check_getDatabaseDocument_default_application_json = validate227;
const schema96 = {"$id":"check_getDatabaseDocument_default_application_json","$ref":"document#/components/schemas/DatabaseError"};

function validate228(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate228.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))) || ((data.hint === undefined) && (missing0 = "hint"))){
validate228.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(typeof data.code !== "string"){
validate228.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs3 = errors;
if(typeof data.message !== "string"){
validate228.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data2 = data.details;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate228.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: schema36.properties.details.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data3 = data.hint;
const _errs7 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate228.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema36.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate228.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate228.errors = vErrors;
return errors === 0;
}
validate228.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

function validate227(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getDatabaseDocument_default_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate227.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate228(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate228.errors : vErrors.concat(validate228.errors);
errors = vErrors.length;
}
validate227.errors = vErrors;
return errors === 0;
}
validate227.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

const check_sendBatch_200_application_json = validate230;
const schema98 = {"$id":"check_sendBatch_200_application_json","$ref":"document#/components/schemas/BatchAnswers"};
const schema99 = {"type":"array","items":{"$ref":"document#/components/schemas/BatchAnswer"}};
const schema100 = {"type":"object","required":["status","headers","body"],"properties":{"id":{"type":"string"},"status":{"type":"integer","minimum":200,"maximum":599},"headers":{"type":"object","additionalProperties":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}},"body":{}}};

function validate232(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate232.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.status === undefined) && (missing0 = "status")) || ((data.headers === undefined) && (missing0 = "headers"))) || ((data.body === undefined) && (missing0 = "body"))){
validate232.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.id !== undefined){
const _errs1 = errors;
if(typeof data.id !== "string"){
validate232.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data1 = data.status;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate232.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 599 || isNaN(data1)){
validate232.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/maximum",keyword:"maximum",params:{comparison: "<=", limit: 599},message:"must be <= 599"}];
return false;
}
else {
if(data1 < 200 || isNaN(data1)){
validate232.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/minimum",keyword:"minimum",params:{comparison: ">=", limit: 200},message:"must be >= 200"}];
return false;
}
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.headers !== undefined){
let data2 = data.headers;
const _errs5 = errors;
if(errors === _errs5){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key0 in data2){
let data3 = data2[key0];
const _errs8 = errors;
const _errs9 = errors;
let valid2 = false;
const _errs10 = errors;
if(typeof data3 !== "string"){
const err0 = {instancePath:instancePath+"/headers/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/headers/additionalProperties/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs10 === errors;
valid2 = valid2 || _valid0;
const _errs12 = errors;
if(errors === _errs12){
if(Array.isArray(data3)){
var valid3 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs14 = errors;
if(typeof data3[i0] !== "string"){
const err1 = {instancePath:instancePath+"/headers/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0,schemaPath:"#/properties/headers/additionalProperties/anyOf/1/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid3 = _errs14 === errors;
if(!valid3){
break;
}
}
}
else {
const err2 = {instancePath:instancePath+"/headers/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/headers/additionalProperties/anyOf/1/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid0 = _errs12 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err3 = {instancePath:instancePath+"/headers/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/headers/additionalProperties/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate232.errors = vErrors;
return false;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
else {
validate232.errors = [{instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate232.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate232.errors = vErrors;
return errors === 0;
}
validate232.evaluated = {"props":{"id":true,"status":true,"headers":true,"body":true},"dynamicProps":false,"dynamicItems":false};

function validate231(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate231.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate232(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate232.errors : vErrors.concat(validate232.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate231.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate231.errors = vErrors;
return errors === 0;
}
validate231.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

function validate230(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_sendBatch_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate230.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate231(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
validate230.errors = vErrors;
return errors === 0;
}
validate230.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const check_sendBatch_400_application_json = validate235;
const schema101 = {"$id":"check_sendBatch_400_application_json","$ref":"document#/components/schemas/BatchError"};
const schema102 = {"type":"object","required":["code","message"],"properties":{"code":{"type":"string"},"message":{"type":"string"},"details":{},"hint":{"type":["string","null"]},"index":{"type":"integer","minimum":0},"id":{"type":"string"}}};

function validate236(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate236.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))){
validate236.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(typeof data.code !== "string"){
validate236.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs3 = errors;
if(typeof data.message !== "string"){
validate236.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data2 = data.hint;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate236.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema102.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.index !== undefined){
let data3 = data.index;
const _errs7 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate236.errors = [{instancePath:instancePath+"/index",schemaPath:"#/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs7){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate236.errors = [{instancePath:instancePath+"/index",schemaPath:"#/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
const _errs9 = errors;
if(typeof data.id !== "string"){
validate236.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate236.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate236.errors = vErrors;
return errors === 0;
}
validate236.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true,"index":true,"id":true},"dynamicProps":false,"dynamicItems":false};

function validate235(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_sendBatch_400_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate235.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate236(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate236.errors : vErrors.concat(validate236.errors);
errors = vErrors.length;
}
validate235.errors = vErrors;
return errors === 0;
}
validate235.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true,"index":true,"id":true},"dynamicProps":false,"dynamicItems":false};

const check_callReadOnlyFunction_200_application_json = validate238;
const schema103 = {"$id":"check_callReadOnlyFunction_200_application_json","$ref":"document#/components/schemas/FunctionResult"};
const schema104 = {};

function validate239(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
validate239.errors = null;
return true;
}
validate239.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate238(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_callReadOnlyFunction_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate238.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate239(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate239.errors : vErrors.concat(validate239.errors);
errors = vErrors.length;
}
validate238.errors = vErrors;
return errors === 0;
}
validate238.evaluated = {"dynamicProps":false,"dynamicItems":false};

const check_callReadOnlyFunction_200_application_vnd_pgrst_object_json = validate241;
const schema105 = {"$id":"check_callReadOnlyFunction_200_application_vnd_pgrst_object_json","$ref":"document#/components/schemas/Row"};
const schema106 = {"type":"object","additionalProperties":true};

function validate242(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate242.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
}
else {
validate242.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate242.errors = vErrors;
return errors === 0;
}
validate242.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate241(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_callReadOnlyFunction_200_application_vnd_pgrst_object_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate241.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate242(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate242.errors : vErrors.concat(validate242.errors);
errors = vErrors.length;
}
validate241.errors = vErrors;
return errors === 0;
}
validate241.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_readRows_200_application_json = validate244;
const schema107 = {"$id":"check_readRows_200_application_json","$ref":"document#/components/schemas/Rows"};
const schema108 = {"type":"array","items":{"$ref":"document#/components/schemas/Row"}};

function validate246(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate246.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
}
else {
validate246.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate246.errors = vErrors;
return errors === 0;
}
validate246.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate245(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate245.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate246(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate246.errors : vErrors.concat(validate246.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate245.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate245.errors = vErrors;
return errors === 0;
}
validate245.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

function validate244(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_readRows_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate244.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate245(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate245.errors : vErrors.concat(validate245.errors);
errors = vErrors.length;
}
validate244.errors = vErrors;
return errors === 0;
}
validate244.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const check_readRows_200_application_vnd_pgrst_plan_json = validate249;
const schema110 = {"$id":"check_readRows_200_application_vnd_pgrst_plan_json","type":"array","items":{"type":"object","additionalProperties":true}};

function validate249(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_readRows_200_application_vnd_pgrst_plan_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate249.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs1 = errors;
if(errors === _errs1){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
}
else {
validate249.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate249.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate249.errors = vErrors;
return errors === 0;
}
validate249.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const check_readRows_200_application_geo_json = validate250;
const schema111 = {"$id":"check_readRows_200_application_geo_json","type":"object","additionalProperties":true};

function validate250(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_readRows_200_application_geo_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate250.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
}
else {
validate250.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate250.errors = vErrors;
return errors === 0;
}
validate250.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_getOpenApiDocument_200_application_json = validate251;
const schema112 = {"$id":"check_getOpenApiDocument_200_application_json","$ref":"document#/components/schemas/OpenApiDocument"};
const schema113 = {"type":"object","required":["openapi","info","paths"],"properties":{"openapi":{"type":"string"},"info":{"type":"object","additionalProperties":true},"paths":{"type":"object","additionalProperties":true}},"additionalProperties":true};

function validate252(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate252.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.openapi === undefined) && (missing0 = "openapi")) || ((data.info === undefined) && (missing0 = "info"))) || ((data.paths === undefined) && (missing0 = "paths"))){
validate252.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.openapi !== undefined){
const _errs2 = errors;
if(typeof data.openapi !== "string"){
validate252.errors = [{instancePath:instancePath+"/openapi",schemaPath:"#/properties/openapi/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.info !== undefined){
let data1 = data.info;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
validate252.errors = [{instancePath:instancePath+"/info",schemaPath:"#/properties/info/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.paths !== undefined){
let data2 = data.paths;
const _errs7 = errors;
if(errors === _errs7){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
}
else {
validate252.errors = [{instancePath:instancePath+"/paths",schemaPath:"#/properties/paths/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate252.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate252.errors = vErrors;
return errors === 0;
}
validate252.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate251(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getOpenApiDocument_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate251.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate252(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate252.errors : vErrors.concat(validate252.errors);
errors = vErrors.length;
}
validate251.errors = vErrors;
return errors === 0;
}
validate251.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

/** Checks the JSON body of a response, by operation, status and media type. */
export const responseChecks: Readonly<Record<string, Record<string, Record<string, Check>>>> = {
  listNotifications: {
    '200': {
      'application/json': check_listNotifications_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getUnreadCount: {
    '200': {
      'application/json': check_getUnreadCount_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  markNotificationsRead: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  markNotificationsUnread: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  markNotificationsSeen: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  archiveNotifications: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getNotificationPreferences: {
    '200': {
      'application/json': check_getNotificationPreferences_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  replaceNotificationPreferences: {
    '200': {
      'application/json': check_getNotificationPreferences_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  streamNotifications: {
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  createStreamTicket: {
    '200': {
      'application/json': check_createStreamTicket_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  revokeStreamTickets: {
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getNotification: {
    '200': {
      'application/json': check_getNotification_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  createNotifications: {
    '200': {
      'application/json': check_createNotifications_200_application_json,
    },
    '201': {
      'application/json': check_createNotifications_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getSigningConfig: {
    '200': {
      'application/json': check_getSigningConfig_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  createSigningConfig: {
    '201': {
      'application/json': check_getSigningConfig_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '409': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '412': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  updateSigningConfig: {
    '200': {
      'application/json': check_getSigningConfig_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '412': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  clearSigningConfig: {
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '412': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  createSigningSession: {
    '200': {
      'application/json': check_createSigningSession_200_application_json,
    },
    '201': {
      'application/json': check_createSigningSession_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '409': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  claimDelegateKey: {
    '200': {
      'application/json': check_claimDelegateKey_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '409': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  listSigningSessions: {
    '200': {
      'application/json': check_listSigningSessions_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getSigningSession: {
    '200': {
      'application/json': check_createSigningSession_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  cancelSigningSession: {
    '200': {
      'application/json': check_createSigningSession_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '409': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  supplyDelegateUserShare: {
    '200': {
      'application/json': check_createSigningSession_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '409': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  listSigningSessionEvents: {
    '200': {
      'application/json': check_listSigningSessionEvents_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '406': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  listAccounts: {
    '200': {
      'application/json': check_listAccounts_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  createAccount: {
    '201': {
      'application/json': check_createAccount_201_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getAccount: {
    '200': {
      'application/json': check_createAccount_201_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  updateAccount: {
    '200': {
      'application/json': check_createAccount_201_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '412': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  listParties: {
    '200': {
      'application/json': check_listParties_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  createParty: {
    '201': {
      'application/json': check_createParty_201_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '409': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getParty: {
    '200': {
      'application/json': check_createParty_201_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  updateParty: {
    '200': {
      'application/json': check_createParty_201_application_json,
    },
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '409': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '412': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  exportAuditLog: {
    '400': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_400_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getDatabaseDocument: {
    '200': {
      'application/openapi+json': check_getDatabaseDocument_200_application_openapi_json,
      'application/json': check_getDatabaseDocument_200_application_openapi_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  headDatabaseDocument: {
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_listNotifications_400_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  sendBatch: {
    '200': {
      'application/json': check_sendBatch_200_application_json,
      'application/vnd.dbr.batch+json': check_sendBatch_200_application_json,
    },
    '400': {
      'application/json': check_sendBatch_400_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
    },
    '415': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '422': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  getDatabaseOptions: {
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  callReadOnlyFunction: {
    '200': {
      'application/json': check_callReadOnlyFunction_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '206': {
      'application/json': check_callReadOnlyFunction_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  headFunction: {
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  callFunction: {
    '200': {
      'application/json': check_callReadOnlyFunction_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '206': {
      'application/json': check_callReadOnlyFunction_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
    },
    '415': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '422': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  getFunctionOptions: {
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  readRows: {
    '200': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
      'application/vnd.pgrst.array+json': check_readRows_200_application_json,
      'application/vnd.pgrst.plan+json': check_readRows_200_application_vnd_pgrst_plan_json,
      'application/geo+json': check_readRows_200_application_geo_json,
    },
    '206': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
      'application/vnd.pgrst.array+json': check_readRows_200_application_json,
      'application/vnd.pgrst.plan+json': check_readRows_200_application_vnd_pgrst_plan_json,
      'application/geo+json': check_readRows_200_application_geo_json,
    },
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  headRows: {
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  insertRows: {
    '200': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '201': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
    },
    '415': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '422': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  putRow: {
    '200': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '201': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '412': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
    },
    '415': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  updateRows: {
    '200': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '412': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
    },
    '415': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  deleteRows: {
    '200': {
      'application/json': check_readRows_200_application_json,
      'application/vnd.pgrst.object+json': check_callReadOnlyFunction_200_application_vnd_pgrst_object_json,
    },
    '300': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '412': {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
    '413': {
      'application/json': check_listNotifications_400_application_json,
    },
    '415': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '416': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  getResourceOptions: {
    '400': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '500': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '503': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '504': {
      'application/json': check_listNotifications_400_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_default_application_json,
    },
  },
  getOpenApiDocument: {
    '200': {
      'application/json': check_getOpenApiDocument_200_application_json,
    },
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
  getReferencePage: {
    default: {
      'application/json': check_listNotifications_503_application_json,
      'application/problem+json': check_listNotifications_400_application_problem_json,
    },
  },
};
