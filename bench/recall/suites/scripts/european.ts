import type { Script } from "./script.ts";

const russian: Script = {
  name: "russian",
  hasSpaces: true,
  who: "Иван;Мария;Отец;Сестра;Учитель;Сергей;Сосед;Бабушка",
  what: `старую книгу/старой книге;красный зонт/красном зонте;чёрный кофе/черном кофе;кроссовки/кроссовках;кожаный кошелёк/кожаном кошельке;белую розу/белых розах;наручные часы/наручных часах;свежие яблоки/свежих яблоках;
    сломанный велосипед/сломанных велосипедах;цифровую камеру/цифровой камере;зимнее пальто/зимнем пальто;карту города/картах города;лекарство от кашля/лекарстве от кашля;акустическую гитару/акустической гитаре;железнодорожный билет/железнодорожных билетах`,
  where: `в библиотеке/из библиотеки;в больнице/для больницы;на вокзале/около вокзала;на рынке/возле рынка;в университете/из университета;в парке/у парка;в аэропорту/из аэропорта;в монастыре/у монастыря;в гостинице/из гостиницы;
    в главном офисе/из главного офиса;на заправке/после заправки;в школе/из школы;в банке/из банка;в пекарне/из пекарни`,
  frames: [
    "Сегодня {who} рассматривает {what} {where} => что известно о {what} {where}",
    "{who} случайно забывает {what} {where} => кто говорил о {what} {where}",
    "{who} уже неделю ищет {what} {where} => вопрос о {what} {where}",
    "{who} дёшево продаёт {what} {where} => рассказ о {what} {where}",
  ],
};

const greek: Script = {
  name: "greek",
  hasSpaces: true,
  who: "ο Γιάννης;η Μαρία;ο πατέρας;η αδερφή;ο δάσκαλος;ο Νίκος;ο γείτονας;η γιαγιά",
  what: `το παλιό βιβλίο/ΠΑΛΙΑ ΒΙΒΛΙΑ;την κόκκινη ομπρέλα/κοκκινες ομπρελες;τον σκέτο καφέ/σκετοι καφεδες;τα αθλητικά παπούτσια/αθλητικο παπουτσι;το δερμάτινο πορτοφόλι/δερματινα πορτοφολια;το λευκό τριαντάφυλλο/λευκα τριανταφυλλα;
    το ρολόι χειρός/ρολογια χειρος;τα φρέσκα μήλα/φρεσκο μηλο;το χαλασμένο ποδήλατο/χαλασμενα ποδηλατα;την ψηφιακή κάμερα/ψηφιακες καμερες;το χειμωνιάτικο παλτό/χειμωνιατικα παλτα;τον χάρτη της πόλης/χαρτες πολης;
    το φάρμακο για τον βήχα/φαρμακα βηχα;την ακουστική κιθάρα/ακουστικες κιθαρες;το εισιτήριο του τρένου/εισιτηρια τρενων`,
  where: `στη βιβλιοθήκη/της βιβλιοθηκης;στο νοσοκομείο/του νοσοκομειου;στον σταθμό/του σταθμου;στην αγορά/της αγορας;στο πανεπιστήμιο/του πανεπιστημιου;στο πάρκο/του παρκου;στο αεροδρόμιο/του αεροδρομιου;στο μοναστήρι/του μοναστηριου;
    στο ξενοδοχείο/του ξενοδοχειου;στο κεντρικό γραφείο/του κεντρικου γραφειου;στο βενζινάδικο/του βενζιναδικου;στο σχολείο/του σχολειου;στην τράπεζα/της τραπεζας;στον φούρνο/του φουρνου`,
  frames: [
    "Χθες {who} αγόρασε {what} {where} => αγορες {what} {where}",
    "Σήμερα {who} ξέχασε {what} {where} => ποιος ξεχναει {what} {where}",
    "Τώρα {who} ψάχνει {what} {where} => ψαξιμο {what} {where}",
    "Προχθές {who} είδε {what} {where} σε χαμηλή τιμή => χαμηλες τιμες {what} {where}",
  ],
};

const turkish: Script = {
  name: "turkish",
  hasSpaces: true,
  who: "Ahmet;Ayşe;Babam;Ablam;Öğretmen;Çağrı;Komşumuz;Büyükannem",
  what: `eski kitabı/eski kitaplar;kırmızı şemsiyeyi/kirmizi semsiyeler;sade kahveyi/sade kahveler;spor ayakkabıyı/spor ayakkabıları;deri cüzdanı/deri cüzdanlar;beyaz gülü/beyaz güller;kol saatini/kol saatleri;taze elmayı/taze elmalar;
    bozuk bisikleti/bozuk bisikletler;dijital kamerayı/dijital kameralar;kışlık paltoyu/kışlık paltolar;şehir haritasını/sehir haritalari;öksürük şurubunu/oksuruk surubu;akustik gitarı/akustik gitarlar;tren biletini/tren biletleri`,
  where: `kütüphanede/kütüphaneden;hastanede/hastaneden;istasyonda/istasyondan;çarşıda/carsidan;üniversitede/üniversitenin;parkta/parkın;havalimanında/havalimanının;manastırda/manastırın;otelde/otelin;genel merkezde/genel merkezin;
    benzinlikte/benzinlikten;ilkokulda/ilkokulun;bankada/bankanın;fırında/fırının`,
  frames: [
    "Dün {who} {where} {what} satın aldı => {where} alınan {what}",
    "{who} {what} {where} unuttu => unutulan {what} {where}",
    "{who} {where} {what} arıyor => {where} aranan {what}",
    "{who} {where} {what} ucuza gördü => ucuz {what} {where}",
  ],
};

const german: Script = {
  name: "german",
  hasSpaces: true,
  who: "Jürgen;Annika;mein Vater;meine Schwester;der Lehrer;Matthias;die Nachbarin;die Großmutter",
  what: `ein Geschichtsbuch/Bücher zur Geschichte;einen Regenschirm/Schirm gegen Regen;eine Kaffeemaschine/Maschine für Kaffee;neue Sportschuhe/Schuhe für Sport;eine Ledertasche/Tasche aus Leder;einen Rosenstrauch/Strauch mit Rosen;
    eine Armbanduhr/Uhr mit Armband;einen Apfelkuchen/Kuchen mit Äpfeln;ein Kinderfahrrad/Fahrräder für Kinder;eine Digitalkamera/Kameras digital;einen Wintermantel/Mäntel für den Winter;einen Stadtplan/Plan der Stadt;
    einen Hustensaft/Saft gegen Husten;eine Konzertgitarre/Gitarren fürs Konzert;eine Fahrkarte/Fahrkarten`,
  where: `in der Stadtbibliothek/Bibliothek;im Universitätsklinikum/Klinikum;am Hauptbahnhof/Bahnhof;auf dem Wochenmarkt/Markt;in der Technischen Hochschule/Hochschulen;im Schlossgarten/Gärten;am Flughafen/Flughäfen;in der Klosterkirche/Kirche;im Strandhotel/Hotels;
    in der Firmenzentrale/Zentrale;an der Autobahntankstelle/Tankstellen;in der Grundschule/Schulen;in der Sparkassenfiliale/Filiale;in der Dorfbäckerei/Bäckereien`,
  frames: [
    "Gestern kaufte {who} {where} {what} => {what} gekauft {where}",
    "Heute hat {who} {what} {where} vergessen => vergessene {what} {where}",
    "Seit Montag sucht {who} {where} {what} => gesucht {what} {where}",
    "Vorhin sah {who} {where} {what} zum halben Preis => halbe Preise {what} {where}",
  ],
};

const finnish: Script = {
  name: "finnish",
  hasSpaces: true,
  who: "Matti;Aino;isä;sisko;opettaja;Jukka;naapuri;isoäiti",
  what: `historiankirjan/historian kirjoja;punaisen sateenvarjon/punaiset sateenvarjot;kahvinkeittimen/kahvinkeittimiä;lenkkikengät/lenkkikenkien;nahkalompakon/nahkainen lompakko;valkoisen ruusun/valkoisia ruusuja;rannekellon/rannekelloja;
    omenapiirakan/omenapiirakoita;polkupyörän/polkupyöriä;digikameran/kamerat;talvitakin/takkeja;kaupungin kartan/kaupunkien karttoja;yskänlääkkeen/yskän lääkettä;akustisen kitaran/akustisia kitaroita;junalipun/junan liput`,
  where: `kirjastossa/kirjastosta;sairaalassa/sairaalan;rautatieasemalla/rautatieaseman;kauppatorilla/kauppatorin;yliopistossa/yliopiston;puistossa/puistosta;lentokentällä/lentokentän;luostarissa/luostarin;rantahotellissa/hotellin;
    pääkonttorissa/pääkonttorin;huoltoasemalla/huoltoasemat;alakoulussa/koulun;pankissa/pankin;leipomossa/leipomosta`,
  frames: [
    "Eilen {who} osti {what} {where} => {where} ostettuja {what}",
    "Tänään {who} unohti {what} {where} => unohdetut {what} {where}",
    "Nyt {who} etsii {where} {what} => etsittyjä {what} {where}",
    "Aamulla {who} näki {where} {what} halvalla => halpoja {what} {where}",
  ],
};

const vietnamese: Script = {
  name: "vietnamese",
  hasSpaces: true,
  who: "anh Minh;chị Lan;bố;em gái;thầy Hùng;bạn Tuấn;bác hàng xóm;bà ngoại",
  what: `quyển sách lịch sử/sach lich su;chiếc ô màu đỏ/o mau do;cà phê đen/ca phe den;đôi giày thể thao/giay the thao;chiếc ví da/vi da;bó hoa hồng/hoa hong;đồng hồ đeo tay/dong ho deo tay;xoài chín/xoai chin;xe đạp cũ/xe dap cu;
    máy ảnh kỹ thuật số/may anh ky thuat so;áo khoác mùa đông/ao khoac mua dong;bản đồ thành phố/ban do thanh pho;thuốc ho/thuoc ho;đàn ghi ta/dan ghi ta;vé tàu hỏa/ve tau hoa`,
  where: `ở thư viện/thu vien;ở bệnh viện/benh vien;ở nhà ga/nha ga;ở chợ Bến Thành/cho Ben Thanh;ở trường đại học/truong dai hoc;ở công viên/cong vien;ở sân bay Nội Bài/san bay Noi Bai;ở chùa Một Cột/chua Mot Cot;ở khách sạn/khach san;
    ở trụ sở chính/tru so chinh;ở trạm xăng/tram xang;ở trường tiểu học/truong tieu hoc;ở ngân hàng/ngan hang;ở tiệm bánh mì/tiem banh mi`,
  frames: [
    "Hôm qua {who} mua {what} {where} => {what} mua o {where}",
    "Hôm nay {who} để quên {what} {where} => ai quen {what} o {where}",
    "Sáng nay {who} tìm {what} {where} => tim {what} gan {where}",
    "Chiều qua {who} thấy {what} {where} rất rẻ => {what} re o {where}",
  ],
};

/** Its sentences are written in full-width characters, and its questions in plain ones. */
const fullWidth: Script = {
  name: "full-width",
  hasSpaces: true,
  who: "Kevin;Laura;Father;Jennifer;Patrick;Martin;Mr Brown;Grandma",
  what: `a history book/history books;a red umbrella/red umbrellas;black coffee/coffee;running shoes/running shoe;a leather wallet/leather wallets;a white rose/white roses;a wrist watch/wrist watches;fresh apples/fresh apple;
    a broken bicycle/broken bicycles;a digital camera/digital cameras;a winter coat/winter coats;a city map/city maps;cough syrup/cough syrups;an acoustic guitar/acoustic guitars;a train ticket/train tickets`,
  where: `at the library/libraries;in the hospital/hospitals;at the station/stations;on the market/markets;at the university/universities;in the park/parks;at the airport/airports;in the monastery/monasteries;in the hotel/hotels;
    at the head office/head offices;at the petrol station on route 95/petrol stations route 95;in the school/schools;in the bank/banks;at the bakery/bakeries`,
  frames: [
    "Yesterday {who} bought {what} {where} => buying {what} {where}",
    "{who} forgot {what} {where} => forgotten {what} {where}",
    "{who} is looking for {what} {where} => who looks for {what} {where}",
    "{who} saw {what} {where} at a low price => low prices of {what} {where}",
  ],
};

export const EUROPEAN = [russian, greek, turkish, german, finnish, vietnamese] as const;
export const FULL_WIDTH = fullWidth;
