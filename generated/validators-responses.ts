// Generated from openapi/ by `make generate`. Not edited by hand.
// @ts-nocheck
import type { ErrorObject } from 'ajv';
import module0 from 'ajv/dist/runtime/ucs2length.js';
import module1 from 'ajv-formats/dist/formats.js';

/** True when the value is as the document says; otherwise `errors` has what is wrong, until the next call. */
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

const check_listNotifications_401_application_json = validate64;
const schema26 = {"$id":"check_listNotifications_401_application_json","$ref":"document#/components/schemas/DbrError"};
const schema27 = {"type":"object","required":["code","message","details","hint"],"properties":{"code":{"$ref":"document#/components/schemas/DbrErrorCode"},"message":{"type":"string"},"details":{"anyOf":[{"type":["string","null"]},{"type":"array","items":{"$ref":"document#/components/schemas/RelationshipChoice"}}]},"hint":{"type":["string","null"]},"errors":{"type":"array","items":{"$ref":"document#/components/schemas/ValidationProblem"}}}};
const schema28 = {"type":"string","enum":["DBR000","DBR001","DBR002","DBR003","DBR100","DBR101","DBR102","DBR103","DBR105","DBR106","DBR107","DBR108","DBR109","DBR110","DBR111","DBR112","DBR114","DBR115","DBR116","DBR117","DBR118","DBR119","DBR120","DBR121","DBR122","DBR123","DBR124","DBR125","DBR200","DBR201","DBR202","DBR203","DBR204","DBR205","DBR300","DBR301","DBR302","DBR400","DBR401","DBR402","DBR403","DBR404","DBR405","DBR406","DBR407","DBR408","DBR409","DBR410","DBR411","DBR412","DBR413","DBR414","DBR420","DBR421","DBR422","DBR500","DBR501","DBR502","DBR503","DBR504","DBR505","DBR506","DBR507","DBR508","DBR509","DBR510","DBR511","DBR512","DBR513","DBR514","DBRX00"]};

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
if(!(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((data === "DBR000") || (data === "DBR001")) || (data === "DBR002")) || (data === "DBR003")) || (data === "DBR100")) || (data === "DBR101")) || (data === "DBR102")) || (data === "DBR103")) || (data === "DBR105")) || (data === "DBR106")) || (data === "DBR107")) || (data === "DBR108")) || (data === "DBR109")) || (data === "DBR110")) || (data === "DBR111")) || (data === "DBR112")) || (data === "DBR114")) || (data === "DBR115")) || (data === "DBR116")) || (data === "DBR117")) || (data === "DBR118")) || (data === "DBR119")) || (data === "DBR120")) || (data === "DBR121")) || (data === "DBR122")) || (data === "DBR123")) || (data === "DBR124")) || (data === "DBR125")) || (data === "DBR200")) || (data === "DBR201")) || (data === "DBR202")) || (data === "DBR203")) || (data === "DBR204")) || (data === "DBR205")) || (data === "DBR300")) || (data === "DBR301")) || (data === "DBR302")) || (data === "DBR400")) || (data === "DBR401")) || (data === "DBR402")) || (data === "DBR403")) || (data === "DBR404")) || (data === "DBR405")) || (data === "DBR406")) || (data === "DBR407")) || (data === "DBR408")) || (data === "DBR409")) || (data === "DBR410")) || (data === "DBR411")) || (data === "DBR412")) || (data === "DBR413")) || (data === "DBR414")) || (data === "DBR420")) || (data === "DBR421")) || (data === "DBR422")) || (data === "DBR500")) || (data === "DBR501")) || (data === "DBR502")) || (data === "DBR503")) || (data === "DBR504")) || (data === "DBR505")) || (data === "DBR506")) || (data === "DBR507")) || (data === "DBR508")) || (data === "DBR509")) || (data === "DBR510")) || (data === "DBR511")) || (data === "DBR512")) || (data === "DBR513")) || (data === "DBR514")) || (data === "DBRX00"))){
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
/*# sourceURL="check_listNotifications_401_application_json" */;
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

const check_listNotifications_401_application_problem_json = validate73;
const schema31 = {"$id":"check_listNotifications_401_application_problem_json","$ref":"document#/components/schemas/Problem"};
const schema32 = {"type":"object","required":["type","title","status","detail","instance","code","message","details","hint"],"properties":{"type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"instance":{"type":"string"},"code":{"$ref":"document#/components/schemas/DbrErrorCode"},"message":{"type":"string"},"details":{"type":["string","null"]},"hint":{"type":["string","null"]},"errors":{"type":"array","items":{"$ref":"document#/components/schemas/ValidationProblem"}}}};

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
const _errs11 = errors;
if(!(validate66(data.code, {instancePath:instancePath+"/code",parentData:data,parentDataProperty:"code",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs12 = errors;
if(typeof data.message !== "string"){
validate74.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data7 = data.details;
const _errs14 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate74.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: schema32.properties.details.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hint !== undefined){
let data8 = data.hint;
const _errs16 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate74.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema32.properties.hint.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data9 = data.errors;
const _errs18 = errors;
if(errors === _errs18){
if(Array.isArray(data9)){
var valid1 = true;
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
const _errs20 = errors;
if(!(validate70(data9[i0], {instancePath:instancePath+"/errors/" + i0,parentData:data9,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var valid1 = _errs20 === errors;
if(!valid1){
break;
}
}
}
else {
validate74.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs18 === errors;
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
/*# sourceURL="check_listNotifications_401_application_problem_json" */;
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

const check_getUnreadCount_200_application_json = validate78;
const schema33 = {"$id":"check_getUnreadCount_200_application_json","$ref":"document#/components/schemas/UnreadCount"};
const schema34 = {"type":"object","required":["count"],"properties":{"count":{"type":"integer","minimum":0}}};

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
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.count === undefined) && (missing0 = "count")){
validate79.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.count !== undefined){
let data0 = data.count;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate79.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate79.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
}
}
else {
validate79.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate79.errors = vErrors;
return errors === 0;
}
validate79.evaluated = {"props":{"count":true},"dynamicProps":false,"dynamicItems":false};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getUnreadCount_200_application_json" */;
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
validate78.errors = vErrors;
return errors === 0;
}
validate78.evaluated = {"props":{"count":true},"dynamicProps":false,"dynamicItems":false};

const check_markNotificationsRead_200_application_json = validate81;
const schema35 = {"$id":"check_markNotificationsRead_200_application_json","$ref":"document#/components/schemas/Acknowledgement"};
const schema36 = {"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean","const":true}}};

function validate82(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate82.evaluated;
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
validate82.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.ok !== undefined){
let data0 = data.ok;
if(typeof data0 !== "boolean"){
validate82.errors = [{instancePath:instancePath+"/ok",schemaPath:"#/properties/ok/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
if(true !== data0){
validate82.errors = [{instancePath:instancePath+"/ok",schemaPath:"#/properties/ok/const",keyword:"const",params:{allowedValue: true},message:"must be equal to constant"}];
return false;
}
}
}
}
else {
validate82.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate82.errors = vErrors;
return errors === 0;
}
validate82.evaluated = {"props":{"ok":true},"dynamicProps":false,"dynamicItems":false};

function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_markNotificationsRead_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate81.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate82(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate82.errors : vErrors.concat(validate82.errors);
errors = vErrors.length;
}
validate81.errors = vErrors;
return errors === 0;
}
validate81.evaluated = {"props":{"ok":true},"dynamicProps":false,"dynamicItems":false};

const check_getNotificationPreferences_200_application_json = validate84;
const schema37 = {"$id":"check_getNotificationPreferences_200_application_json","$ref":"document#/components/schemas/NotificationPreferences"};
const schema38 = {"type":"object","required":["categories"],"properties":{"categories":{"type":"object","maxProperties":200,"propertyNames":{"type":"string","minLength":1,"maxLength":100},"additionalProperties":{"$ref":"document#/components/schemas/CategoryPreference"}}}};
const schema39 = {"type":"object","required":["inApp"],"properties":{"inApp":{"type":"boolean"}}};

function validate86(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate86.evaluated;
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
validate86.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.inApp !== undefined){
if(typeof data.inApp !== "boolean"){
validate86.errors = [{instancePath:instancePath+"/inApp",schemaPath:"#/properties/inApp/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
}
}
}
else {
validate86.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate86.errors = vErrors;
return errors === 0;
}
validate86.evaluated = {"props":{"inApp":true},"dynamicProps":false,"dynamicItems":false};

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
if((data.categories === undefined) && (missing0 = "categories")){
validate85.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.categories !== undefined){
let data0 = data.categories;
const _errs1 = errors;
if(errors === _errs1){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(Object.keys(data0).length > 200){
validate85.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/maxProperties",keyword:"maxProperties",params:{limit: 200},message:"must NOT have more than 200 properties"}];
return false;
}
else {
for(const key0 in data0){
const _errs3 = errors;
if(errors === _errs3){
if(typeof key0 === "string"){
if(func1(key0) > 100){
const err0 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters",propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(func1(key0) < 1){
const err1 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",propertyName:key0};
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
const err2 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
const err3 = {instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate85.errors = vErrors;
return false;
break;
}
}
if(valid1){
for(const key1 in data0){
const _errs6 = errors;
if(!(validate86(data0[key1], {instancePath:instancePath+"/categories/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data0,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate86.errors : vErrors.concat(validate86.errors);
errors = vErrors.length;
}
var valid2 = _errs6 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
validate85.errors = [{instancePath:instancePath+"/categories",schemaPath:"#/properties/categories/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
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
validate85.evaluated = {"props":{"categories":true},"dynamicProps":false,"dynamicItems":false};

function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getNotificationPreferences_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate84.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate85(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
errors = vErrors.length;
}
validate84.errors = vErrors;
return errors === 0;
}
validate84.evaluated = {"props":{"categories":true},"dynamicProps":false,"dynamicItems":false};

const check_createStreamTicket_200_application_json = validate89;
const schema40 = {"$id":"check_createStreamTicket_200_application_json","$ref":"document#/components/schemas/StreamTicket"};
const schema41 = {"type":"object","required":["ticket","expiresAt"],"properties":{"ticket":{"type":"string"},"expiresAt":{"type":"string","format":"date-time"}}};

function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate90.evaluated;
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
validate90.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.ticket !== undefined){
const _errs1 = errors;
if(typeof data.ticket !== "string"){
validate90.errors = [{instancePath:instancePath+"/ticket",schemaPath:"#/properties/ticket/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate90.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate90.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate90.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate90.errors = vErrors;
return errors === 0;
}
validate90.evaluated = {"props":{"ticket":true,"expiresAt":true},"dynamicProps":false,"dynamicItems":false};

function validate89(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createStreamTicket_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate89.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate90(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
validate89.errors = vErrors;
return errors === 0;
}
validate89.evaluated = {"props":{"ticket":true,"expiresAt":true},"dynamicProps":false,"dynamicItems":false};

const check_getNotification_200_application_json = validate92;
const schema42 = {"$id":"check_getNotification_200_application_json","$ref":"document#/components/schemas/Notification"};

function validate93(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate93.evaluated;
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
validate93.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.notificationId !== undefined){
const _errs1 = errors;
if(typeof data.notificationId !== "string"){
validate93.errors = [{instancePath:instancePath+"/notificationId",schemaPath:"#/properties/notificationId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate93.errors = [{instancePath:instancePath+"/tenantId",schemaPath:"#/properties/tenantId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate93.errors = [{instancePath:instancePath+"/userId",schemaPath:"#/properties/userId/type",keyword:"type",params:{type: schema22.properties.userId.type},message:"must be string,null"}];
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
validate93.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate93.errors = [{instancePath:instancePath+"/category",schemaPath:"#/properties/category/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate93.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate93.errors = [{instancePath:instancePath+"/body",schemaPath:"#/properties/body/type",keyword:"type",params:{type: schema22.properties.body.type},message:"must be string,null"}];
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
validate93.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object"}];
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
validate93.errors = vErrors;
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
validate93.errors = [{instancePath:instancePath+"/actionUrl",schemaPath:"#/properties/actionUrl/type",keyword:"type",params:{type: schema22.properties.actionUrl.type},message:"must be string,null"}];
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
validate93.errors = [{instancePath:instancePath+"/groupKey",schemaPath:"#/properties/groupKey/type",keyword:"type",params:{type: schema22.properties.groupKey.type},message:"must be string,null"}];
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
validate93.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
return false;
}
}
else {
validate93.errors = [{instancePath:instancePath+"/createdAt",schemaPath:"#/properties/createdAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate93.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/type",keyword:"type",params:{type: schema22.properties.expiresAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs31){
if(errors === _errs31){
if(typeof data14 === "string"){
if(!(formats0.validate(data14))){
validate93.errors = [{instancePath:instancePath+"/expiresAt",schemaPath:"#/properties/expiresAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
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
validate93.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/type",keyword:"type",params:{type: schema22.properties.seenAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs33){
if(errors === _errs33){
if(typeof data15 === "string"){
if(!(formats0.validate(data15))){
validate93.errors = [{instancePath:instancePath+"/seenAt",schemaPath:"#/properties/seenAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
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
validate93.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/type",keyword:"type",params:{type: schema22.properties.readAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs35){
if(errors === _errs35){
if(typeof data16 === "string"){
if(!(formats0.validate(data16))){
validate93.errors = [{instancePath:instancePath+"/readAt",schemaPath:"#/properties/readAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
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
validate93.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/type",keyword:"type",params:{type: schema22.properties.archivedAt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs37){
if(errors === _errs37){
if(typeof data17 === "string"){
if(!(formats0.validate(data17))){
validate93.errors = [{instancePath:instancePath+"/archivedAt",schemaPath:"#/properties/archivedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""}];
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
validate93.errors = [{instancePath:instancePath+"/isRead",schemaPath:"#/properties/isRead/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
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
validate93.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate93.errors = vErrors;
return errors === 0;
}
validate93.evaluated = {"props":{"notificationId":true,"tenantId":true,"userId":true,"audience":true,"type":true,"category":true,"severity":true,"title":true,"body":true,"data":true,"actor":true,"actionUrl":true,"groupKey":true,"createdAt":true,"expiresAt":true,"seenAt":true,"readAt":true,"archivedAt":true,"isRead":true},"dynamicProps":false,"dynamicItems":false};

function validate92(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getNotification_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate92.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate93(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate93.errors : vErrors.concat(validate93.errors);
errors = vErrors.length;
}
validate92.errors = vErrors;
return errors === 0;
}
validate92.evaluated = {"props":{"notificationId":true,"tenantId":true,"userId":true,"audience":true,"type":true,"category":true,"severity":true,"title":true,"body":true,"data":true,"actor":true,"actionUrl":true,"groupKey":true,"createdAt":true,"expiresAt":true,"seenAt":true,"readAt":true,"archivedAt":true,"isRead":true},"dynamicProps":false,"dynamicItems":false};

const check_createNotifications_200_application_json = validate98;
const schema44 = {"$id":"check_createNotifications_200_application_json","$ref":"document#/components/schemas/ProducedNotifications"};
const schema45 = {"type":"object","required":["created","duplicates","suppressed"],"properties":{"created":{"type":"integer","minimum":0},"duplicates":{"type":"integer","minimum":0},"suppressed":{"type":"integer","minimum":0}}};

function validate99(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate99.evaluated;
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
validate99.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.created !== undefined){
let data0 = data.created;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate99.errors = [{instancePath:instancePath+"/created",schemaPath:"#/properties/created/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate99.errors = [{instancePath:instancePath+"/created",schemaPath:"#/properties/created/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
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
validate99.errors = [{instancePath:instancePath+"/duplicates",schemaPath:"#/properties/duplicates/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate99.errors = [{instancePath:instancePath+"/duplicates",schemaPath:"#/properties/duplicates/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
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
validate99.errors = [{instancePath:instancePath+"/suppressed",schemaPath:"#/properties/suppressed/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate99.errors = [{instancePath:instancePath+"/suppressed",schemaPath:"#/properties/suppressed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
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
validate99.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate99.errors = vErrors;
return errors === 0;
}
validate99.evaluated = {"props":{"created":true,"duplicates":true,"suppressed":true},"dynamicProps":false,"dynamicItems":false};

function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_createNotifications_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate98.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate99(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate99.errors : vErrors.concat(validate99.errors);
errors = vErrors.length;
}
validate98.errors = vErrors;
return errors === 0;
}
validate98.evaluated = {"props":{"created":true,"duplicates":true,"suppressed":true},"dynamicProps":false,"dynamicItems":false};

const check_getDatabaseDocument_200_application_openapi_json = validate101;
const schema46 = {"$id":"check_getDatabaseDocument_200_application_openapi_json","$ref":"document#/components/schemas/DatabaseDocument"};
const schema47 = {"type":"object","additionalProperties":true};

function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate102.evaluated;
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
validate102.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate102.errors = vErrors;
return errors === 0;
}
validate102.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate101(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getDatabaseDocument_200_application_openapi_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate101.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate102(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate102.errors : vErrors.concat(validate102.errors);
errors = vErrors.length;
}
validate101.errors = vErrors;
return errors === 0;
}
validate101.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_getDatabaseDocument_401_application_json = validate104;
const schema48 = {"$id":"check_getDatabaseDocument_401_application_json","$ref":"document#/components/schemas/DataApiError"};
const schema49 = {"anyOf":[{"$ref":"document#/components/schemas/DbrError"},{"$ref":"document#/components/schemas/DatabaseError"}]};

function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate106.evaluated;
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
validate106.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
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
validate106.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate106.errors = vErrors;
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
validate106.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema27.properties.hint.type},message:"must be string,null"}];
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
validate106.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array"}];
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
validate106.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate106.errors = vErrors;
return errors === 0;
}
validate106.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true,"errors":true},"dynamicProps":false,"dynamicItems":false};

const schema51 = {"type":"object","required":["code","message","details","hint"],"properties":{"code":{"type":"string"},"message":{"type":"string"},"details":{"type":["string","null"]},"hint":{"type":["string","null"]}}};

function validate111(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate111.evaluated;
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
validate111.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(typeof data.code !== "string"){
validate111.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate111.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate111.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: schema51.properties.details.type},message:"must be string,null"}];
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
validate111.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema51.properties.hint.type},message:"must be string,null"}];
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
validate111.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate111.errors = vErrors;
return errors === 0;
}
validate111.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

function validate105(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate105.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(!(validate106(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate106.errors : vErrors.concat(validate106.errors);
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
if(!(validate111(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate111.errors : vErrors.concat(validate111.errors);
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
validate105.errors = vErrors;
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
validate105.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate105.evaluated = {"dynamicProps":true,"dynamicItems":false};

function validate104(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getDatabaseDocument_401_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate104.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate105(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate105.errors : vErrors.concat(validate105.errors);
errors = vErrors.length;
}
else {
var props0 = validate105.evaluated.props;
}
validate104.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate104.evaluated = {"dynamicProps":true,"dynamicItems":false};

const check_getDatabaseDocument_403_application_json = validate114;
const schema52 = {"$id":"check_getDatabaseDocument_403_application_json","$ref":"document#/components/schemas/DatabaseError"};

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
if(((((data.code === undefined) && (missing0 = "code")) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))) || ((data.hint === undefined) && (missing0 = "hint"))){
validate115.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.code !== undefined){
const _errs1 = errors;
if(typeof data.code !== "string"){
validate115.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate115.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate115.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: schema51.properties.details.type},message:"must be string,null"}];
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
validate115.errors = [{instancePath:instancePath+"/hint",schemaPath:"#/properties/hint/type",keyword:"type",params:{type: schema51.properties.hint.type},message:"must be string,null"}];
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
validate115.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate115.errors = vErrors;
return errors === 0;
}
validate115.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

function validate114(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getDatabaseDocument_403_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate114.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate115(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate115.errors : vErrors.concat(validate115.errors);
errors = vErrors.length;
}
validate114.errors = vErrors;
return errors === 0;
}
validate114.evaluated = {"props":{"code":true,"message":true,"details":true,"hint":true},"dynamicProps":false,"dynamicItems":false};

const check_callReadOnlyFunction_200_application_json = validate117;
const schema54 = {"$id":"check_callReadOnlyFunction_200_application_json","$ref":"document#/components/schemas/FunctionResult"};
const schema55 = {};

function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
validate118.errors = null;
return true;
}
validate118.evaluated = {"dynamicProps":false,"dynamicItems":false};

function validate117(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_callReadOnlyFunction_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate117.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate118(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
validate117.errors = vErrors;
return errors === 0;
}
validate117.evaluated = {"dynamicProps":false,"dynamicItems":false};

const check_callReadOnlyFunction_200_application_vnd_pgrst_object_json = validate120;
const schema56 = {"$id":"check_callReadOnlyFunction_200_application_vnd_pgrst_object_json","$ref":"document#/components/schemas/Row"};
const schema57 = {"type":"object","additionalProperties":true};

function validate121(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate121.evaluated;
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
validate121.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate121.errors = vErrors;
return errors === 0;
}
validate121.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_callReadOnlyFunction_200_application_vnd_pgrst_object_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate120.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate121(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate121.errors : vErrors.concat(validate121.errors);
errors = vErrors.length;
}
validate120.errors = vErrors;
return errors === 0;
}
validate120.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_readRows_200_application_json = validate123;
const schema58 = {"$id":"check_readRows_200_application_json","$ref":"document#/components/schemas/Rows"};
const schema59 = {"type":"array","items":{"$ref":"document#/components/schemas/Row"}};

function validate125(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate125.evaluated;
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
validate125.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate125.errors = vErrors;
return errors === 0;
}
validate125.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate124(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate124.evaluated;
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
if(!(validate125(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate125.errors : vErrors.concat(validate125.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate124.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate124.errors = vErrors;
return errors === 0;
}
validate124.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

function validate123(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_readRows_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate123.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate124(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors);
errors = vErrors.length;
}
validate123.errors = vErrors;
return errors === 0;
}
validate123.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const check_readRows_200_application_vnd_pgrst_plan_json = validate128;
const schema61 = {"$id":"check_readRows_200_application_vnd_pgrst_plan_json","type":"array","items":{"type":"object","additionalProperties":true}};

function validate128(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_readRows_200_application_vnd_pgrst_plan_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate128.evaluated;
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
validate128.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
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
validate128.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
validate128.errors = vErrors;
return errors === 0;
}
validate128.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const check_readRows_200_application_geo_json = validate129;
const schema62 = {"$id":"check_readRows_200_application_geo_json","type":"object","additionalProperties":true};

function validate129(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_readRows_200_application_geo_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate129.evaluated;
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
validate129.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate129.errors = vErrors;
return errors === 0;
}
validate129.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const check_getOpenApiDocument_200_application_json = validate130;
const schema63 = {"$id":"check_getOpenApiDocument_200_application_json","$ref":"document#/components/schemas/OpenApiDocument"};
const schema64 = {"type":"object","required":["openapi","info","paths"],"properties":{"openapi":{"type":"string"},"info":{"type":"object","additionalProperties":true},"paths":{"type":"object","additionalProperties":true}},"additionalProperties":true};

function validate131(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate131.evaluated;
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
validate131.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.openapi !== undefined){
const _errs2 = errors;
if(typeof data.openapi !== "string"){
validate131.errors = [{instancePath:instancePath+"/openapi",schemaPath:"#/properties/openapi/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate131.errors = [{instancePath:instancePath+"/info",schemaPath:"#/properties/info/type",keyword:"type",params:{type: "object"},message:"must be object"}];
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
validate131.errors = [{instancePath:instancePath+"/paths",schemaPath:"#/properties/paths/type",keyword:"type",params:{type: "object"},message:"must be object"}];
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
validate131.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate131.errors = vErrors;
return errors === 0;
}
validate131.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

function validate130(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="check_getOpenApiDocument_200_application_json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate130.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate131(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate131.errors : vErrors.concat(validate131.errors);
errors = vErrors.length;
}
validate130.errors = vErrors;
return errors === 0;
}
validate130.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

/** Checks the JSON body of a response, by operation, status and media type. */
export const responseChecks: Readonly<Record<string, Record<string, Record<string, Check>>>> = {
  listNotifications: {
    '200': {
      'application/json': check_listNotifications_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  getUnreadCount: {
    '200': {
      'application/json': check_getUnreadCount_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  markNotificationsRead: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  markNotificationsUnread: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  markNotificationsSeen: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  archiveNotifications: {
    '200': {
      'application/json': check_markNotificationsRead_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  getNotificationPreferences: {
    '200': {
      'application/json': check_getNotificationPreferences_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  replaceNotificationPreferences: {
    '200': {
      'application/json': check_getNotificationPreferences_200_application_json,
    },
    '400': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '422': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  streamNotifications: {
    '400': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '429': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  createStreamTicket: {
    '200': {
      'application/json': check_createStreamTicket_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  getNotification: {
    '200': {
      'application/json': check_getNotification_200_application_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '404': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
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
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '401': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '403': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '415': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    '503': {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_listNotifications_401_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
  },
  headDatabaseDocument: {
    '401': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '403': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_listNotifications_401_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '413': {
      'application/json': check_listNotifications_401_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '404': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '405': {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
    '406': {
      'application/json': check_getDatabaseDocument_401_application_json,
    },
    '409': {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
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
      'application/json': check_listNotifications_401_application_json,
    },
    default: {
      'application/json': check_getDatabaseDocument_403_application_json,
    },
  },
  getOpenApiDocument: {
    '200': {
      'application/json': check_getOpenApiDocument_200_application_json,
    },
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
  getReferencePage: {
    default: {
      'application/json': check_listNotifications_401_application_json,
      'application/problem+json': check_listNotifications_401_application_problem_json,
    },
  },
};
